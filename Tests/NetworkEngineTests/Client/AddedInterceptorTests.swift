import Foundation
import NetworkEngine
import NetworkEngineTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct AddedInterceptorTests {
    private struct Mark: RequestInterceptor {
        let name: String

        func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
            var request = request
            request.headers["X-Trail"] = (request.headers["X-Trail"] ?? "") + name
            return request
        }
    }

    private let mock = MockTransport(MockAnswer.status(503).repeating())

    private func policy(_ attempts: Int) -> RetryPolicy {
        RetryPolicy(maxAttempts: attempts, backoff: .constant(.zero))
    }

    @Test func `C11: interceptors of one call stand inside of the provider's`() async {
        let provider = NetworkProvider<API>(mock, [Mark(name: "a"), Mark(name: "b")])
        _ = await provider.adding(Mark(name: "c"), Mark(name: "d")).failure(.plain)
        _ = await provider.failure(.plain)
        #expect(mock.requests.map { $0.headers["X-Trail"] } == ["abcd", "ab"])
    }

    @Test func `C11: a policy for one call takes the place of the provider's`() async {
        let provider = NetworkProvider<API>(mock, [policy(3), Mark(name: "a")]) { $0.attemptLimit = 5 }
        #expect(await provider.adding(policy(1)).failure(.plain)?.attempts.count == 1)
        #expect(await provider.adding(policy(4)).failure(.plain)?.attempts.count == 4)
        #expect(await provider.failure(.plain)?.attempts.count == 3)
        #expect(mock.requests.allSatisfy { $0.headers["X-Trail"] == "a" })
    }

    @Test func `C11: so it is with a client`() async {
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        let client = HTTPClient(baseURL: API.base, interceptors: [policy(3)], configuration: configuration)
        await #expect(throws: NetworkError.self) {
            let _: Data = try await client.adding(policy(1), Mark(name: "c")).request(.get("/things"))
        }
        #expect(mock.requests.map { $0.headers["X-Trail"] } == ["c"])
    }
}
