import NetworkEngine

/// The bytes of a connection that has left HTTP, exchanged between its WebSocket's tasks and the server's thread.
///
/// Whenever the thread can write, it calls `next()` to find out what to do. It stops reading while `hasRoom` is false.
final class LoopbackChannel: ByteChannel {
    /// The next step of the server's thread.
    enum Step {
        case send([UInt8])
        case wait
        case close
    }

    fileprivate typealias Receipt = OneShot<Result<Void, NetworkError>>

    fileprivate struct State {
        var received: [UInt8] = []
        var arrival: OneShot<Void>?
        var outbox: [(bytes: [UInt8], receipt: Receipt)] = []
        /// The bytes that the socket is accepting.
        var sending: Receipt?
        /// Why no more bytes arrive, once the received ones are read.
        var end: Result<Void, NetworkError>?
        var isClosed = false

        var hasRoom: Bool { received.count < LoopbackChannel.mostUnread }

        mutating func takeReceipts() -> [Receipt] {
            defer { (outbox, sending) = ([], nil) }
            return outbox.map(\.receipt) + (sending.map { [$0] } ?? [])
        }
    }

    /// The number of unread bytes at which reading from the socket stops.
    fileprivate static let mostUnread = 1 << 16

    /// Makes the server's thread check this channel.
    private let wakeServer: @Sendable () -> Void
    private let state = Locked(State())

    init(waking wakeServer: @escaping @Sendable () -> Void) { self.wakeServer = wakeServer }

    // MARK: The tasks

    func receive() async throws(NetworkError) -> [UInt8]? {
        while true {
            let (result, arrival, wakes) = state.withLock { $0.receive() }
            if wakes { wakeServer() }
            if let result { return try result.get() }
            guard let arrival else { return nil }
            do throws(CancellationError) { try await arrival.wait() } catch { throw NetworkError(kind: .cancelled) }
        }
    }

    func send(_ bytes: [UInt8]) async throws(NetworkError) {
        let receipt = Receipt()
        let error = state.withLock { state -> NetworkError? in
            if state.isClosed { return .closedChannel }
            if case .failure(let error) = state.end { return error }
            state.outbox.append((bytes, receipt))
            return nil
        }
        if let error { throw error }
        wakeServer()
        let result: Result<Void, NetworkError>
        do throws(CancellationError) {
            result = try await receipt.wait()
        } catch {
            throw NetworkError(kind: .cancelled)
        }
        try result.get()
    }

    func close() {
        let (receipts, arrival) = state.withLock { state in
            state.isClosed = true
            return (state.takeReceipts(), state.arrival.take())
        }
        settle(receipts, arrival, with: .failure(.closedChannel))
        wakeServer()
    }

    // MARK: The server's thread

    var hasRoom: Bool { state.withLock { $0.hasRoom && $0.end == nil && !$0.isClosed } }

    /// Whether this end has bytes waiting for the socket.
    var isSenderWaiting: Bool { state.withLock { !$0.outbox.isEmpty || $0.sending != nil } }

    /// Whether this end has closed the connection.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Bytes have arrived.
    func received(_ bytes: [UInt8]) {
        let arrival = state.withLock { state in
            state.received += bytes
            return state.arrival.take()
        }
        arrival?.settle(())
    }

    /// The client has finished sending.
    func finished() {
        let arrival = state.withLock { state in
            state.end = state.end ?? .success(())
            return state.arrival.take()
        }
        arrival?.settle(())
    }

    /// The connection has ended.
    func lost() {
        let error = NetworkError(.lostMidBody, reason: "the connection was lost")
        let (receipts, arrival) = state.withLock { state in
            state.end = .failure(error)
            return (state.takeReceipts(), state.arrival.take())
        }
        settle(receipts, arrival, with: .failure(error))
    }

    /// The socket has accepted all earlier bytes. Returns the next step.
    func next() -> Step {
        let (step, receipt) = state.withLock { $0.next() }
        receipt?.settle(.success(()))
        return step
    }

    private func settle(_ receipts: [Receipt], _ arrival: OneShot<Void>?, with result: Result<Void, NetworkError>) {
        for receipt in receipts { receipt.settle(result) }
        arrival?.settle(())
    }
}

extension LoopbackChannel.State {
    /// Returns bytes or the end; otherwise the signal to wait for. `wakes` means that there is free space again.
    fileprivate mutating func receive() -> (
        result: Result<[UInt8]?, NetworkError>?, arrival: OneShot<Void>?, wakes: Bool
    ) {
        if isClosed { return (.failure(.closedChannel), nil, false) }
        if !received.isEmpty {
            defer { received = [] }
            return (.success(received), nil, !hasRoom)
        }
        if let end { return (end.map { nil }, nil, false) }
        let signal = arrival ?? OneShot()
        arrival = signal
        return (nil, signal, false)
    }

    fileprivate mutating func next() -> (LoopbackChannel.Step, LoopbackChannel.Receipt?) {
        let sent = sending.take()
        if isClosed { return (.close, sent) }
        if outbox.isEmpty { return (.wait, sent) }
        let (bytes, receipt) = outbox.removeFirst()
        sending = receipt
        return (.send(bytes), sent)
    }
}

extension NetworkError {
    fileprivate static var closedChannel: NetworkError {
        NetworkError(.lostMidBody, reason: "this end has closed the connection")
    }
}
