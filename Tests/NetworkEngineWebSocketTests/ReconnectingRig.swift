@testable import NetworkEngine
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

/// The server's end of the connections, and the handshakes that fail.
final class ReconnectingRig: Sendable {
    private struct State {
        var failures: [NetworkError] = []
        var opened: [WebSocket] = []
        var arrival = OneShot<Void>()
    }

    let clock = TestClock()
    private let options: WebSocketOptions
    private let state = Locked(State())

    init(failing failures: [NetworkError] = [], options: WebSocketOptions = WebSocketOptions()) {
        self.options = options
        state.withLock { $0.failures = failures }
    }

    func socket(
        _ change: (inout ReconnectPolicy) -> Void = { _ in },
        onOpen: @escaping @Sendable @concurrent (WebSocket) async throws -> Void = { _ in }
    ) -> ReconnectingWebSocket {
        var policy = ReconnectPolicy()
        policy.clock = clock
        policy.backoff = .constant(.seconds(1))
        change(&policy)
        return ReconnectingWebSocket(policy) { [self] () throws(NetworkError) in
            if let error = state.withLock({ $0.failures.isEmpty ? nil : $0.failures.removeFirst() }) { throw error }
            let (client, server) = WebSocket.pair(options: options, clock: TestClock())
            let arrival = state.withLock { state in
                state.opened.append(server)
                defer { state.arrival = OneShot() }
                return state.arrival
            }
            arrival.settle(())
            return client
        } onOpen: {
            try await onOpen($0)
        }
    }

    /// The server's end of a connection, once it's open.
    func server(_ number: Int) async throws -> WebSocket {
        while true {
            let (opened, arrival) = state.withLock { ($0.opened, $0.arrival) }
            if opened.count > number { return opened[number] }
            try await arrival.wait()
        }
    }

    /// Loses a connection without a close frame.
    func lose(_ number: Int) async throws {
        let server = try await server(number)
        state.withLock { state in state.opened[number] = WebSocket.pair().server }
        withExtendedLifetime(server) {}
    }

    var count: Int { state.withLock { $0.opened.count } }

    /// Lets the pause before the next connection elapse.
    func passPause(_ duration: Duration = .seconds(1)) async {
        await clock.untilSleeping()
        clock.advance(by: duration)
    }
}

extension ReconnectingWebSocket {
    func untilOpen() async {
        for await state in states { if case .open = state { return } }
    }
}
