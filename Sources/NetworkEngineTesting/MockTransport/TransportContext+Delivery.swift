import Foundation
import NetworkEngine

extension TransportContext {
    /// Delivers a body to its destination and reports the progress, as a real transport does.
    func deliver(_ body: Data, of request: HTTPRequest) throws -> ResponseBody {
        if let progress {
            let sent = Int64(request.body.data?.count ?? 0)
            if sent > 0 {
                progress(TransferProgress(direction: .sending, completed: sent, total: sent, attempt: attempt))
            }
            let count = Int64(body.count)
            progress(TransferProgress(direction: .receiving, completed: count, total: count, attempt: attempt))
        }
        let limit =
            switch destination {
            case .memory, .stream: limits.bodyInMemory
            case .file: limits.bodyInFile
            }
        if body.count > limit {
            throw NetworkError(.limitExceeded, reason: "the body is larger than \(limit) bytes", request: request)
        }
        guard case .file(let file) = destination else { return .data(body) }
        let isMade = FileManager.default.createFile(
            atPath: file.path,
            contents: body,
            attributes: [.posixPermissions: 0o600]
        )
        guard isMade else {
            throw NetworkError(kind: .transport, reason: "the file for the body could not be made", request: request)
        }
        return .file(file)
    }
}
