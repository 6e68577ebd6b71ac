import NetworkEngine
import NetworkEngineResilience
import NetworkEngineTesting
import NetworkEngineWebSocket
import TestSupport
import Testing

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
}
