import Foundation
import NetworkEngine
import NetworkEngineTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct NetworkProviderTests {
    private struct Sign: RequestInterceptor {
        let name: String

        func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
            var request = request
            request.headers["X-Trail"] = (request.headers["X-Trail"] ?? "") + name
            return request
        }
    }

    private func trail(_ make: (NetworkConfiguration) -> NetworkProvider<API>) async throws -> [String?] {
        let mock = MockTransport(.status(200))
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        try await make(configuration).request(.plain)
        return mock.requests.map { $0.headers["X-Trail"] }
    }

    @Test func `promise 3: a provider has no interceptor, one, or a list of them in order`() async throws {
        #expect(try await trail { NetworkProvider(configuration: $0) } == [nil])
        #expect(try await trail { NetworkProvider(interceptor: Sign(name: "a"), configuration: $0) } == ["a"])
        let list = ["a", "b", "c"].map { Sign(name: $0) }
        #expect(try await trail { NetworkProvider(interceptors: list, configuration: $0) } == ["abc"])
    }
}
