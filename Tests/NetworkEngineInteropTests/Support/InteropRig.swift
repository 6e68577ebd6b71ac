import Foundation
import NetworkEngineInterop
import TestSupport

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A server, and a client that guests make calls through.
final class InteropRig: Sendable {
    let server: LoopbackServer
    let client: HTTPClient
    let shutDown: @Sendable () -> Void

    init(
        _ wire: Wire = Wire.all[0],
        _ configure: (inout NetworkConfiguration) -> Void = { _ in },
        with interceptors: (URL) -> [any RequestInterceptor] = { _ in [] },
        handler: @escaping @Sendable (LoopbackRequest) -> LoopbackResponse
    ) throws {
        server = try LoopbackServer(handler: handler)
        let line = wire.open()
        var configuration = NetworkConfiguration()
        configuration.transport = line.transport
        configure(&configuration)
        client = HTTPClient(
            baseURL: server.url, interceptors: interceptors(server.url), configuration: configuration)
        shutDown = line.shutDown
    }

    deinit {
        shutDown()
        server.stop()
    }

    /// A configuration for guest sessions.
    var routed: URLSessionConfiguration { URLSessionConfiguration.ephemeral.routed(through: client) }

    func request(_ path: String, _ method: String = "GET", _ headers: [String: String] = [:]) -> URLRequest {
        var request = URLRequest(url: server.url.appendingPathComponent(path))
        request.httpMethod = method
        request.allHTTPHeaderFields = headers
        return request
    }
}

/// A refresher that counts its refreshes.
struct CountedRefresh {
    let count = Locked(0)

    func refresher(_ url: URL) -> any RequestInterceptor {
        TokenRefresher(store: InMemoryCredentialStore(BearerToken("old", refreshToken: "r"))) { [count] _, context in
            _ = try await context.send(
                HTTPRequest(method: .post, url: url.appendingPathComponent("token")))
            count.withLock { $0 += 1 }
            return BearerToken("new", refreshToken: "r")
        }
    }

    /// Answers requests that have the new token.
    @Sendable static func answer(_ request: LoopbackRequest) -> LoopbackResponse {
        if request.path == "/token" { return .text("token") }
        guard request.headers["Authorization"] == "Bearer new" else {
            return .status(401).header("WWW-Authenticate", "Bearer")
        }
        return .text(request.method == .get ? request.path : request.text)
    }
}
