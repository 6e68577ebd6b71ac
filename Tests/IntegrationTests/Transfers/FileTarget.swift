import Foundation

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// A target on a loopback server, which keeps the server alive.
struct FileTarget: TargetType {
    let server: LoopbackServer
    var baseURL: URL { server.url }
    var path: String
    var method: HTTPMethod
    var task: NetworkTask
    var validation: ResponseValidation = .success

    static func download(
        from server: LoopbackServer,
        _ path: String = "/file.bin",
        to destination: DownloadDestination = .temporary
    ) -> Self {
        Self(server: server, path: path, method: .get, task: .downloadDestination(destination))
    }

    static func upload(to server: LoopbackServer, _ task: NetworkTask) -> Self {
        Self(server: server, path: "/inbox", method: .post, task: task)
    }
}
