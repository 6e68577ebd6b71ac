import Foundation
import NetworkEngine
import TerminalProgress

/// A download with a progress bar.
struct Photo: TargetType {
    let baseURL: URL
    let path = "/photo"
    let method = HTTPMethod.get
    let task = NetworkTask.downloadDestination(.temporary)

    /// Downloads the file and removes it.
    static func download(from server: URL) async throws {
        let bar = ProgressBar("  photo    ")
        let file = try await NetworkProvider<Photo>().download(Photo(baseURL: server)) { bar.show($0) }
        bar.finish()
        let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        print("  file      \(size) bytes")
        try FileManager.default.removeItem(at: file)
    }
}
