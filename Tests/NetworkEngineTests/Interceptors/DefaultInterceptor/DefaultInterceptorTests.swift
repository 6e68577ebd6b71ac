import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct DefaultInterceptorTests {
    private let refreshes = Locked(0)

    private func interceptor(
        renews: Bool = true,
        isReachable: Bool = true
    ) -> DefaultInterceptor {
        DefaultInterceptor(
            refreshToken: { [refreshes] in
                refreshes.withLock { $0 += 1 }
                return renews
            },
            isNetworkReachable: { isReachable },
            retry: RetryPolicy(backoff: .constant(.zero))
        )
    }

    @Test func `without a network a call fails before I/O`() async {
        let mock = MockTransport()
        let provider = NetworkProvider<API>(interceptor: interceptor(isReachable: false), mock)
        #expect(await provider.failure(.plain)?.kind == .offline)
        #expect(mock.requests.isEmpty)
    }

    @Test func `a 401 starts a refresh and the call is repeated`() async throws {
        let mock = MockTransport(.status(401), .status(200))
        _ = try await NetworkProvider<API>(interceptor: interceptor(), mock).send(.plain)
        #expect(refreshes.withLock { $0 } == 1)
        #expect(mock.requests.count == 2)
    }

    @Test func `when the refresh declines, nothing is repeated and the caller gets the 401`() async {
        let mock = MockTransport(.status(401))
        let error = await NetworkProvider<API>(interceptor: interceptor(renews: false), mock).failure(.plain)
        #expect(error?.kind == .status)
        #expect(error?.statusCode == 401)
        #expect(mock.requests.count == 1)
    }

    @Test func `many rejections share one refresh`() async throws {
        let isRenewed = Locked(false)
        let mock = MockTransport(
            MockAnswer.handler { _ in isRenewed.withLock { $0 } ? .status(200) : .status(401) }.repeating()
        )
        let interceptor = DefaultInterceptor(refreshToken: { [refreshes] in
            refreshes.withLock { $0 += 1 }
            isRenewed.withLock { $0 = true }
            return true
        })
        let provider = NetworkProvider<API>(interceptor: interceptor, mock)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { _ = try await provider.send(.plain) } }
            try await group.waitForAll()
        }
        #expect(refreshes.withLock { $0 } == 1)
    }

    @Test(arguments: [RefreshFailure.sessionExpired, .declined])
    func `after the server ended the session, the next user's calls are sent`(failure: RefreshFailure)
        async
    {
        let mock = MockTransport(.status(401), .status(200), .status(401), .status(200))
        let interceptor = DefaultInterceptor(refreshToken: { [refreshes] in
            let isFirst = refreshes.withLock { count in
                count += 1
                return count == 1
            }
            if isFirst { throw failure }
            return true
        })
        let provider = NetworkProvider<API>(interceptor: interceptor, mock)
        #expect(await provider.failure(.plain)?.statusCode == 401)
        #expect(await provider.failure(.plain) == nil)
        #expect(await provider.failure(.plain) == nil)
        #expect(refreshes.withLock { $0 } == 2)
    }

    @Test(arguments: [503, 429])
    func `a busy server is handled by the retry policy`(status: Int) async throws {
        let mock = MockTransport(.status(status), .status(status), .status(200))
        _ = try await NetworkProvider<API>(interceptor: interceptor(), mock).send(.plain)
        #expect(mock.requests.count == 3)
        #expect(refreshes.withLock { $0 } == 0)
    }

    @Test func `attempts are counted for each request`() async throws {
        let mock = MockTransport(
            .status(503), .status(503), .status(200), .status(503), .status(503), .status(200)
        )
        let provider = NetworkProvider<API>(interceptor: interceptor(), mock)
        _ = try await provider.send(.plain)
        _ = try await provider.send(.plain)
    }

    @Test(arguments: [(0, 1), (1, 2), (2, 3), (-1, 1), (Int.max, 5)])
    func `the number of retries is the number of attempts after the first`(count: Int, attempts: Int) async {
        let mock = MockTransport(MockAnswer.status(503).repeating())
        let interceptor = DefaultInterceptor(
            refreshToken: { true }, retryCount: count,
            retry: RetryPolicy(backoff: .constant(.zero), budget: nil))
        let provider = NetworkProvider<API>(mock, [interceptor])
        #expect(await provider.failure(.plain)?.statusCode == 503)
        #expect(mock.requests.count == attempts)
    }

    @Test func `the closures can be trailing`() async {
        let mock = MockTransport(.status(401))
        let interceptor = DefaultInterceptor {
            false
        } isNetworkReachable: {
            true
        } token: {
            "t"
        } onSessionExpired: { [refreshes] in
            refreshes.withLock { $0 += 1 }
        }
        #expect(await NetworkProvider<API>(interceptor: interceptor, mock).failure(.plain)?.statusCode == 401)
        #expect(mock.requests.first?.headers["Authorization"] == "Bearer t")
    }
}

extension NetworkProvider {
    fileprivate init(interceptor: any RequestInterceptor, _ mock: MockTransport) {
        self.init(mock, [interceptor])
    }
}
