import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Error statuses with bodies that don't arrive.
@Suite(.timeLimit(.minutes(5))) struct StalledErrorTests {
    private func client(
        _ server: LoopbackServer,
        _ transport: any Transport,
        _ interceptors: [any RequestInterceptor]
    ) -> HTTPClient {
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        // Long enough for the first part to arrive, however busy the machine is.
        configuration.timeout = .seconds(4)
        return HTTPClient(baseURL: server.url, interceptors: interceptors, configuration: configuration)
    }

    private static func stalled(_ status: Int, _ headers: HTTPHeaders = [:]) -> LoopbackResponse {
        LoopbackResponse.text("not all", status: status, headers: headers).declaringLength("100").ending(.keepAlive)
    }

    @Test(arguments: Wire.distinct) func `a 401 whose body stalls is refreshed`(wire: Wire) async throws {
        let server = try LoopbackServer { request in
            request.headers["Authorization"] == "Bearer new" ? .text("ok") : Self.stalled(401)
        }
        let store = InMemoryCredentialStore(BearerToken("old", refreshToken: "r"))
        let refresher = TokenRefresher(store: store) { _, _ in BearerToken("new", refreshToken: "r") }
        try await wire.withTransport { transport in
            let text = try await client(server, transport, [refresher]).send(.get("/")).text
            #expect(text == "ok")
        }
    }

    @Test(arguments: Wire.distinct, [LoopbackEnding.keepAlive, .close])
    func `the error has the status, the fields and the bytes so far`(wire: Wire, ending: LoopbackEnding) async throws {
        let server = try LoopbackServer { _ in Self.stalled(503, ["Retry-After": "7"]).ending(ending) }
        try await wire.withTransport { transport in
            let error = await #expect(throws: NetworkError.self) {
                try await client(server, transport, []).send(.get("/"))
            }
            #expect(error?.kind == (ending == .close ? .connection : .timeout))
            #expect(error?.statusCode == 503 && error?.response?.headers["Retry-After"] == "7")
            #expect(error?.response?.data == Data("not all".utf8))
        }
    }

    @Test(arguments: Wire.distinct) func `a status that is not worth a retry is not repeated`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in Self.stalled(404) }
        try await wire.withTransport { transport in
            let error = await #expect(throws: NetworkError.self) {
                try await client(server, transport, [RetryPolicy()]).send(.get("/"))
            }
            #expect(error?.statusCode == 404 && error?.attempts.count == 1)
        }
    }
}
