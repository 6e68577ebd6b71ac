import Foundation
import NetworkEngine
import NetworkEngineTesting

/// The tour's service: a server on a loopback port in this process.
final class DemoService: Sendable {
    private let server: LoopbackServer
    private let routes: DemoRoutes

    init() throws {
        let routes = try DemoRoutes()
        var configuration = LoopbackConfiguration()
        // The avatar is recorded, so that its digest is not computed.
        configuration.bodyRecordingLimit = 32 << 20
        server = try LoopbackServer(configuration) { routes.response(to: $0) }
        self.routes = routes
    }

    var url: URL { server.url }

    /// The host and port.
    var address: String { "127.0.0.1:\(server.port)" }

    /// The same server at an address that `OfflinePolicy` does not treat as a loopback address, because it lets those
    /// pass without a network.
    var anyAddressURL: URL {
        var components = URLComponents()
        (components.scheme, components.host, components.port) = ("http", "0.0.0.0", Int(server.port))
        return components.url ?? url
    }

    /// The report's content.
    var report: Data { routes.report }

    /// Rejects all access tokens issued before.
    func expireTokens() { routes.expireTokens() }

    /// The number of requests to paths with this prefix.
    func requestCount(_ path: String) -> Int { requests(path).count }

    /// The values of a header field in the requests to a path.
    func values(of field: String, in path: String) -> [String] { requests(path).compactMap { $0.headers[field] } }

    func stop() { server.stop() }

    private func requests(_ path: String) -> [LoopbackRequest] { server.requests.filter { $0.path.hasPrefix(path) } }
}
