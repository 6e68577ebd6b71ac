import NetworkEngineResilience
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

/// The call that opens a WebSocket.
@Suite(.timeLimit(.minutes(5))) struct WebSocketCallTests {
    @Test func `interceptors that do not work together open no socket`() async {
        let mock = MockTransport(.webSocket { _ in })
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        let list: [any RequestInterceptor] = [RetryPolicy(), Hedging(after: .seconds(1))]
        let client = HTTPClient(baseURL: API.base, interceptors: list, configuration: configuration)
        let error = await #expect(throws: NetworkError.self) { _ = try await client.webSocket(.get("/a")) }
        #expect(error?.kind == .unsupported && error?.reason.contains("twice as many") == true)
        #expect(mock.requests.isEmpty)
    }

    @Test func `a socket that is opened again does not go on as another user`() async throws {
        let mock = MockTransport()
        mock.on().answers(MockAnswer.webSocket { await $0.close(code: 1012) }.repeating())
        let refresher = TokenRefresher(store: InMemoryCredentialStore(BearerToken("ada"))) { old, _ in old }
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        let client = HTTPClient(baseURL: API.base, interceptors: [refresher], configuration: configuration)
        let clock = TestClock()
        var policy = ReconnectPolicy()
        policy.clock = clock
        policy.backoff = .constant(.seconds(1))
        let socket = client.webSocket(.get("/a"), reconnecting: policy)
        await clock.untilSleeping()
        try await refresher.signOut()
        try await refresher.signIn(BearerToken("bob"))
        clock.advance(by: .seconds(1))
        var messages = socket.messages.makeAsyncIterator()
        let error = await #expect(throws: NetworkError.self) { try await messages.next() }
        #expect(error?.kind == .authentication)
        #expect(mock.requests.map { $0.headers["Authorization"] } == ["Bearer ada"])
    }
}
