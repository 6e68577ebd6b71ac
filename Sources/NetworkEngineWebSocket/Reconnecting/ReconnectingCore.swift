import NetworkEngine

/// The implementation of a reconnecting WebSocket. One task opens the connections and waits until they end.
final class ReconnectingCore: Sendable {
    private typealias Receipt = ReconnectingState.Receipt

    private let policy: ReconnectPolicy
    private let timebase: Timebase
    private let open: @Sendable () async throws(NetworkError) -> WebSocket
    private let onOpen: @Sendable @concurrent (WebSocket) async throws -> Void
    private let state: Locked<ReconnectingState>
    private let task = Locked<Task<Void, Never>?>(nil)

    init(
        _ policy: ReconnectPolicy,
        open: @escaping @Sendable () async throws(NetworkError) -> WebSocket,
        onOpen: @escaping @Sendable @concurrent (WebSocket) async throws -> Void
    ) {
        (self.policy, self.open, self.onOpen) = (policy, open, onOpen)
        timebase = .reading(policy.clock)
        state = Locked(ReconnectingState(policy))
    }

    var phase: WebSocketState { state.withLock { $0.phase } }

    var keptSize: Int { state.withLock { $0.keptSize } }

    func start() {
        let running = Task.detached { [self] in await run() }
        task.withLock { $0 = running }
    }

    /// Closes the socket and its connection immediately.
    func abandon() {
        finish(nil)
        task.withLock { $0 }?.cancel()
        state.withLock { $0.release() }
    }

    func close(_ code: UInt16, _ reason: String) async {
        finish(nil)
        // No further connection is adopted.
        let socket = state.withLock { $0.readable }
        task.withLock { $0 }?.cancel()
        await socket?.close(code: code, reason: reason)
    }

    private func finish(_ error: NetworkError?) {
        let (signals, receipts) = state.withLock { $0.close(error) }
        give(signals)
        for receipt in receipts { receipt.settle(.failure(error ?? .closedWebSocket)) }
    }

    private func give(_ signals: [ReconnectingState.Signal]) {
        for signal in signals { signal.settle(()) }
    }

    // MARK: Connections

    /// How a connection ended, or why it could not be opened.
    private struct End {
        var error: NetworkError?
        var closeCode: UInt16?
        var openTime: Duration = .zero
    }

    private func run() async {
        var failures = 0
        var pause: Duration?
        while await mayOpen() {
            give(state.withLock { $0.connecting() })
            let end = await connection()
            if Task.isCancelled { return }
            guard policy.allowsNext(after: end.error, closeCode: end.closeCode) else { return finish(end.error) }
            if end.openTime >= policy.stableTime { (failures, pause) = (0, nil) }
            failures += 1
            let error = end.error ?? NetworkError(.lostMidBody, reason: "the server has closed the WebSocket")
            if let limit = policy.failureLimit, failures >= limit { return finish(error) }
            let next = policy.pause(after: error, failures: failures, previous: pause)
            pause = next
            give(state.withLock { $0.waiting(next, after: error) })
            do { try await timebase.sleep(for: next) } catch { return }
        }
    }

    /// Waits until another connection may be opened. Returns whether the socket is still in use.
    ///
    /// A socket without a reader is also reopened.
    private func mayOpen() async -> Bool {
        let timers = TimerQueue(timebase: timebase)
        defer { timers.stop() }
        let deadline = Deadline(in: max(.zero, policy.readingTime), on: timebase)
        while true {
            let (mayOpen, isClosed, change) = state.withLock { ($0.mayOpen, $0.isClosed, $0.change) }
            if isClosed || Task.isCancelled { return false }
            if mayOpen { return true }
            do throws(CancellationError) {
                if try await change.wait(until: deadline, on: timers) == nil { setUnreadMessagesAside() }
            } catch {
                return false
            }
        }
    }

    private func setUnreadMessagesAside() {
        guard let socket = state.withLock({ $0.readable }) else { return }
        let messages = socket.takeUnreadMessages()
        give(state.withLock { $0.setAside(messages, of: socket) })
    }

    /// Opens a connection, and waits until it has ended.
    private func connection() async -> End {
        let socket: WebSocket
        do throws(NetworkError) {
            socket = try await open()
        } catch {
            return End(error: error)
        }
        var end = End()
        do {
            try await onOpen(socket)
            let start = timebase.now
            defer { end.openTime = timebase.now - start }
            socket.reserve(state.withLock { $0.unreadSize })
            if let signals = state.withLock({ $0.adopt(socket) }) {
                // A reader that had already taken the last message could not notify this connection.
                if state.withLock({ $0.unreadSize == 0 }) { socket.reserve(0) }
                give(signals)
                async let _: Void = ignoreMessages(of: socket)
                await sendKept(over: socket)
                end.error = try await socket.failure()
                give(state.withLock { $0.ended(socket) })
            }
        } catch {
            // Such an error from the closure closes the socket, whatever the server sent.
            guard let error = error as? NetworkError else {
                return End(error: NetworkError(kind: .transport, underlying: error))
            }
            end.error = error
            // The reason that the server sent before closing explains why a message could not be sent.
            if !socket.isOpen, let reason = try? await socket.failure() { end.error = reason }
        }
        end.closeCode = socket.closeCode
        return end
    }

    /// Reads and drops the messages if the app doesn't read them, so that the end of the connection is noticed.
    private func ignoreMessages(of socket: WebSocket) async {
        guard policy.ignoresMessages else { return }
        var messages = socket.messages.makeAsyncIterator()
        while (try? await messages.next()) != nil {}
    }

    /// Sends the messages that wait for a connection. Afterwards the connection also accepts other messages.
    private func sendKept(over socket: WebSocket) async {
        while true {
            switch state.withLock({ $0.nextKept(over: socket) }) {
            case .nothing(let signals): return give(signals)
            case .wait(let signal):
                do throws(CancellationError) { try await signal.wait() } catch { return }
            case .send(let kept):
                do throws(NetworkError) {
                    try await socket.send(kept.message)
                    state.withLock { $0.departed() }
                    kept.receipt.settle(.success(()))
                } catch {
                    // The connection has ended. The message is sent first on the next one.
                    guard error.kind == .limit else { return }
                    state.withLock { $0.departed() }
                    kept.receipt.settle(.failure(error))
                }
            }
        }
    }

    // MARK: Calls

    func send(_ message: WebSocketMessage) async throws(NetworkError) {
        if Task.isCancelled { throw NetworkError(kind: .cancelled) }
        let isKept = policy.unsentMessages != .refused
        let number = isKept ? state.withLock { $0.nextNumber() } : 0
        defer { if isKept { give(state.withLock { $0.returned(number) }) } }
        while true {
            switch try state.withLock({ state throws(NetworkError) in try state.route(message, of: number) }) {
            case .now(let socket):
                do throws(NetworkError) {
                    return try await socket.send(message)
                } catch {
                    if error.kind == .cancelled || error.kind == .limit { throw error }
                    if !isKept {
                        throw state.withLock { $0.refusal(after: error, from: socket) }
                    }
                    state.withLock { $0.lost(socket) }
                }
            case .kept(let receipt):
                give(state.withLock { $0.returned(number) })
                let result: Result<Void, NetworkError>
                do throws(CancellationError) {
                    result = try await receipt.wait()
                } catch {
                    state.withLock { $0.forget(receipt) }
                    throw NetworkError(kind: .cancelled)
                }
                return try result.get()
            }
        }
    }

    func receive() async throws(NetworkError) -> WebSocketMessage? {
        while true {
            if Task.isCancelled { throw NetworkError(kind: .cancelled) }
            switch state.withLock({ $0.reading() }) {
            case .end(let error?): throw error
            case .end(nil): return nil
            case .message(let message, let relieved):
                relieved?.reserve(0)
                return message
            case .wait(let change):
                do throws(CancellationError) {
                    try await change.wait()
                } catch {
                    throw NetworkError(kind: .cancelled)
                }
            case .from(let socket):
                var messages = socket.messages.makeAsyncIterator()
                do throws(NetworkError) {
                    if let message = try await messages.next() { return message }
                } catch {
                    // The task that opens connections decides how to handle the end.
                    if error.kind == .cancelled, Task.isCancelled { throw error }
                }
                give(state.withLock { $0.drained(socket) })
            }
        }
    }

    func state(after seen: inout Int?) async -> WebSocketState? {
        while true {
            let (phase, version, isClosed, change) = state.withLock { ($0.phase, $0.version, $0.isClosed, $0.change) }
            if seen != version {
                seen = version
                return phase
            }
            if isClosed { return nil }
            do throws(CancellationError) { try await change.wait() } catch { return nil }
        }
    }
}
