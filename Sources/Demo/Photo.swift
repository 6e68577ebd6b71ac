import Foundation
import NetworkEngine

/// A file that is downloaded, with a bar that shows how far it has come.
struct Photo: TargetType {
    let baseURL: URL
    let path = "/photo"
    let method = HTTPMethod.get
    let task = NetworkTask.downloadDestination(.temporary)

    /// Downloads it, and throws it away.
    static func download(from server: URL) async throws {
        let bar = ProgressBar("  photo    ")
        let file = try await NetworkProvider<Photo>().download(Photo(baseURL: server)) { bar.show($0) }
        bar.finish()
        let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        print("  file      \(size) bytes")
        try FileManager.default.removeItem(at: file)
    }
}
