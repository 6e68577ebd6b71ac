import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// A 301, 302 or 303 redirect turns a POST that the server has processed into a GET.
@Suite(.timeLimit(.minutes(5))) struct AppliedRequestTests {
    /// Suggests a retry for every failure.
    private struct Insisting: NonInterceptingInterceptor {
        func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision { .retry }
    }

    private static func refresher() -> TokenRefresher<BearerToken> {
        TokenRefresher(store: InMemoryCredentialStore(BearerToken("old"))) { _, _ in BearerToken("new") }
    }

    private static let advisers: [any RequestInterceptor] = [
        Insisting(), refresher(), DefaultInterceptor(refreshToken: { true }), RetryPolicy(backoff: .constant(.zero)),
    ]

    private func server(answering status: Int) -> MockTransport {
        let mock = MockTransport()
        mock.on(.post).answers(MockAnswer.status(303, headers: ["Location": "/page"]).repeating())
        mock.on(.put).answers(MockAnswer.status(303, headers: ["Location": "/page"]).repeating())
        mock.on(.get).answers(MockAnswer.status(status).repeating())
        return mock
    }

    @Test(arguments: advisers.indices, [401, 403, 503])
    func `a POST whose redirect fails is not sent again, whatever interceptors advise`(
        adviser: Int, status: Int
    ) async {
        let mock = server(answering: status)
        let provider = NetworkProvider<API>(mock, [Self.advisers[adviser]])
        #expect(await provider.failure(.post)?.statusCode == status)
        #expect(mock.requests.map(\.method) == [.post, .get])
    }

    @Test func `a PUT, and a POST with a key, are sent again after their redirect failed`() async {
        for list: [any RequestInterceptor] in [[Insisting()], [IdempotencyKey(), Insisting()]] {
            let method: HTTPMethod = list.count == 1 ? .put : .post
            let mock = server(answering: 503)
            let provider = NetworkProvider<TestTarget>(mock, list) { $0.attemptLimit = 2 }
            #expect(await provider.failure(TestTarget(method: method))?.statusCode == 503)
            #expect(mock.requests.map(\.method) == [method, .get, method, .get])
        }
    }

    @Test func `a POST that expected a 100 is not sent again after its redirect failed`() async {
        let mock = server(answering: 417)
        var expecting = ExpectContinue()
        expecting.minimumLength = 1
        #expect(await NetworkProvider<API>(mock, [expecting]).failure(.post)?.statusCode == 417)
        #expect(mock.requests.map(\.method) == [.post, .get])
    }

    @Test func `a POST that a redirect sends elsewhere unchanged is sent again`() async throws {
        let mock = MockTransport()
        mock.on(.post, "/v1/things").answers(MockAnswer.status(307, headers: ["Location": "/other"]).repeating())
        mock.on(.post, "/other").answers(.status(401), .status(200))
        _ = try await NetworkProvider<API>(mock, [Self.refresher()]).send(.post)
        #expect(mock.requests.count == 4)
    }
}
