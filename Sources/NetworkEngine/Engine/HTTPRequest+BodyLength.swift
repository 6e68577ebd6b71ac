import Foundation

extension HTTPRequest {
    /// The number of bytes to send, if it is known in advance.
    var bodyLength: Int64? {
        switch body {
        case .none: nil
        case .data(let data): Int64(data.count)
        case .stream(let stream): stream.length
        case .file(let url): (try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize).map(Int64.init)
        }
    }
}
