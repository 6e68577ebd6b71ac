import Foundation
import NetworkEngineStreams
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// An app that is configured for another server, over every transport.
@Suite(.timeLimit(.minutes(5))) struct EnvironmentTests {
    /// A target on a server that doesn't exist.
    private enum AppAPI: TargetType {
        case things

        var baseURL: URL { URL(string: "http://production.invalid")! }
        var path: String { "/things" }
    }

    @Test(arguments: Wire.all)
    func `requests, downloads, streams and events go to the configuration's base`(wire: Wire) async throws {
        let server = try LoopbackServer { request in
            request.headers["Accept"] == "text/event-stream" ? LoopbackResponse(status: 204) : .text("ok")
        }
        try await wire.withTransport { transport in
            var configuration = NetworkConfiguration()
            configuration.transport = transport
            configuration.baseURL = { [url = server.url] _ in url }
            configuration.headers = ["X-Client": "7"]
            let provider = NetworkProvider<AppAPI>(interceptor: TokenSource { "t" }, configuration: configuration)
            #expect(try await provider.string(.things) == "ok")
            let file = try await provider.download(.things)
            #expect(try Data(contentsOf: file) == Data("ok".utf8))
            try FileManager.default.removeItem(at: file)
            var streamed = Data()
            for try await chunk in try await provider.stream(.things) { streamed.append(chunk) }
            #expect(streamed == Data("ok".utf8))
            for try await _ in provider.events(.things) {}
        }
        #expect(server.requests.count == 4)
        for request in server.requests {
            #expect(request.target == "/things" && request.headers["X-Client"] == "7")
            #expect(request.headers["Authorization"] == "Bearer t")
        }
    }
}
