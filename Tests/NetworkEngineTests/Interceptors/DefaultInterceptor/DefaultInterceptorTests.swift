import Foundation
import NetworkEngine
import NetworkEngineTesting
import Testing

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

    @Test func `promise 10: without a network a call fails before I/O`() async {
        let mock = MockTransport()
        let provider = NetworkProvider<API>(interceptor: interceptor(isReachable: false), mock)
        #expect(await provider.failure(.plain)?.kind == .offline)
        #expect(mock.requests.isEmpty)
    }

    @Test func `promise 10: a 401 is renewed and the call made again`() async throws {
        let mock = MockTransport(.status(401), .status(200))
        _ = try await NetworkProvider<API>(interceptor: interceptor(), mock).send(.plain)
        #expect(refreshes.withLock { $0 } == 1)
        #expect(mock.requests.count == 2)
    }

    @Test func `promise 10: when the refresh says no, nothing is made again, and the 401 is the caller's`() async {
        let mock = MockTransport(.status(401))
        let error = await NetworkProvider<API>(interceptor: interceptor(renews: false), mock).failure(.plain)
        #expect(error?.kind == .status)
        #expect(error?.statusCode == 401)
        #expect(mock.requests.count == 1)
    }

    @Test func `promise 10: many rejections have one refresh`() async throws {
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
    func `promise 10: when the server has ended the session, the next user's calls are made`(failure: RefreshFailure)
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
    func `promise 10: a busy server is the retry policy's`(status: Int) async throws {
        let mock = MockTransport(.status(status), .status(status), .status(200))
        _ = try await NetworkProvider<API>(interceptor: interceptor(), mock).send(.plain)
        #expect(mock.requests.count == 3)
        #expect(refreshes.withLock { $0 } == 0)
    }

    @Test func `promise 10: attempts are counted for each request by itself`() async throws {
        let mock = MockTransport(
            .status(503), .status(503), .status(200), .status(503), .status(503), .status(200)
        )
        let provider = NetworkProvider<API>(interceptor: interceptor(), mock)
        _ = try await provider.send(.plain)
        _ = try await provider.send(.plain)
    }
}

extension NetworkProvider {
    fileprivate init(interceptor: any RequestInterceptor, _ mock: MockTransport) {
        self.init(mock, [interceptor])
    }
}
