package import NetworkEngine

/// A WebSocket over a byte connection (RFC 6455).
///
/// One task reads and one writes, until the connection has ended. They belong to this object; `abandon()` and the end
/// of the connection stop them.
package final class FramedConnection: WebSocketConnection {
    package let negotiatedProtocol: String?
    private let channel: any ByteChannel
    private let options: WebSocketOptions
    private let timebase: Timebase
    private let request: HTTPRequest?
    private let state: Locked<WebSocketStateMachine>
    /// Used by the writing task.
    private let encoder: Locked<FrameEncoder>
    /// Signaled when the connection is closed.
    private let gone = OneShot<Void>()

    private typealias Effects = WebSocketStateMachine.Effects

    /// Takes over an open connection.
    ///
    /// - Parameters:
    ///   - compression: the negotiated compression; `nil` for none.
    ///   - received: bytes that arrived after the handshake.
    ///   - request: the handshake request, for errors.
    package init(
        _ channel: any ByteChannel,
        as role: WebSocketFrame.Role,
        offer: WebSocketOffer,
        negotiatedProtocol: String? = nil,
        compression: CompressionTerms? = nil,
        received: [UInt8] = [],
        request: HTTPRequest? = nil
    ) {
        self.channel = channel
        self.negotiatedProtocol = negotiatedProtocol
        self.request = request
        options = offer.options
        timebase = .reading(offer.clock)
        state = Locked(WebSocketStateMachine(role: role, options: options))
        let threshold = max(1, options.compression?.threshold ?? 1)
        encoder = Locked(FrameEncoder(role, compression?.side(role), threshold: threshold))
        Task.detached { [self] in
            let other = compression?.side(role == .client ? .server : .client)
            var reader = WebSocketReader(at: role, limit: max(0, options.messageLimit), compression: other)
            reader.add(received)
            await readAll(by: &reader)
        }
        Task.detached { [self] in await writeAll() }
        if let interval = options.pingInterval { Task.detached { [self] in await watch(every: interval) } }
    }

    package var close: WebSocketClose? { state.withLock { $0.close } }

    package var isOpen: Bool { state.withLock { $0.isOpen } }

    package var bufferLimit: Int { options.bufferLimit }

    package var hasUnreadMessages: Bool { state.withLock { $0.hasUnreadMessages } }

    package func takeUnreadMessages() -> [WebSocketMessage] { state.withLock { $0.takeUnreadMessages() } }

    package func reserve(_ size: Int) { perform(state.withLock { $0.reserve(size) }) }

    package func failure() async throws(CancellationError) -> NetworkError? {
        try await state.withLock { $0.end }.wait()
        return state.withLock { $0.failure }?.completed(request: request)
    }

    /// A large frame is written in pieces, which show that the connection is alive.
    private static let sizeOfPiece = 1 << 16

    package func send(_ message: WebSocketMessage) async throws(NetworkError) {
        if Task.isCancelled { throw .cancelled(request) }
        if channel.sendsAtOnce, message.size <= Self.sizeOfPiece, try isWrittenAtOnce(message) {
            return try await writeAtOnce(message)
        }
        try await wait { state, receipt throws(NetworkError) in try state.send(message, receipt) }
    }

    private func isWrittenAtOnce(_ message: WebSocketMessage) throws(NetworkError) -> Bool {
        do throws(NetworkError) {
            return try state.withLock { state throws(NetworkError) in try state.mayWriteAtOnce() }
        } catch {
            throw error.completed(request: request)
        }
    }

    /// Writes a message without the writing task, which would cost two thread switches.
    private func writeAtOnce(_ message: WebSocketMessage) async throws(NetworkError) {
        let bytes = encoder.withLock { $0.bytes(of: message) }
        let rest: WebSocketStateMachine.Receipt?
        do throws(NetworkError) {
            rest = try channel.begin(bytes)
        } catch {
            let reason = state.withLock { $0.reason(ofFailedWrite: error) }
            perform(state.withLock { $0.writeFailed(error) })
            throw reason.completed(request: request)
        }
        guard let rest else { return perform(state.withLock { $0.wroteAtOnce() }) }
        try await wait { state, receipt in state.began(rest, receipt) }
    }

    package func ping() async throws(NetworkError) {
        if Task.isCancelled { throw .cancelled(request) }
        try await wait { state, receipt throws(NetworkError) in try state.ping(receipt) }
    }

    package func receive() async throws(NetworkError) -> WebSocketMessage? {
        while true {
            if Task.isCancelled { throw .cancelled(request) }
            let (reading, effects) = state.withLock { $0.nextMessage() }
            perform(effects)
            switch reading {
            case .message(let message): return message
            case .end: return nil
            case .failure(let error): throw error.completed(request: request)
            case .wait(let signal): try await wait(for: signal)
            }
        }
    }

    package func close(with frame: WebSocketClose) async {
        let end = state.withLock { $0.end }
        perform(state.withLock { $0.close(with: frame) })
        do throws(CancellationError) {
            try await end.wait()
        } catch {
            abandon()
        }
    }

    package func abandon() { perform(state.withLock { $0.abandon(.cancelled(request)) }) }

    // MARK: Waiting

    private func wait(
        for event: (inout WebSocketStateMachine, WebSocketStateMachine.Receipt) throws(NetworkError) -> Effects
    ) async throws(NetworkError) {
        let receipt = WebSocketStateMachine.Receipt()
        do throws(NetworkError) {
            perform(try state.withLock { state throws(NetworkError) in try event(&state, receipt) })
        } catch {
            throw error.completed(request: request)
        }
        do throws(NetworkError) {
            try await result(of: receipt)
        } catch {
            if error.kind == .cancelled { state.withLock { $0.forget(receipt) } }
            throw error.completed(request: request)
        }
    }

    private func wait(for signal: WebSocketStateMachine.Signal) async throws(NetworkError) {
        do throws(CancellationError) {
            try await signal.wait()
        } catch {
            throw .cancelled(request)
        }
    }

    private func perform(_ effects: Effects) {
        if effects.closesChannel { channel.close() }
        effects.run()
        if effects.startsCloseTimer { Task.detached { [self] in await endAfterTimeout() } }
    }

    // MARK: The connection's tasks

    /// Reads until the other end closes the connection. Data after the close is dropped.
    private func readAll(by reader: inout WebSocketReader) async {
        defer {
            channel.close()
            gone.settle(())
        }
        while true {
            while let room = state.withLock({ $0.roomSignal() }) {
                do throws(CancellationError) { try await room.wait() } catch { return }
            }
            // Compressed messages can be much larger than their bytes: only some are read until there is space again.
            if takeEvents(from: &reader) { continue }
            do throws(NetworkError) {
                guard let bytes = try await channel.receive() else {
                    return perform(state.withLock { $0.lost(nil) })
                }
                if state.withLock({ $0.arrived() }) { reader.add(bytes) } else { reader.drop() }
            } catch {
                return perform(state.withLock { $0.lost(error) })
            }
        }
    }

    /// Handles some of the events in the received bytes. Returns whether there may be more.
    private func takeEvents(from reader: inout WebSocketReader) -> Bool {
        var events: [WebSocketReader.Event] = []
        var fault: WebSocketFault?
        var left = Self.sizeOfPiece
        do throws(WebSocketFault) {
            while left > 0, let event = try reader.next() {
                events.append(event)
                left -= event.size
            }
        } catch {
            fault = error
        }
        if events.isEmpty, fault == nil { return false }
        perform(state.withLock { $0.received(events, fault) })
        return left <= 0
    }

    private func writeAll() async {
        while true {
            switch state.withLock({ $0.nextFrames(upTo: Self.sizeOfPiece) }) {
            case .end: return
            case .wait(let signal):
                do throws(CancellationError) { try await signal.wait() } catch { return }
            case .frames(let frames):
                let (bytes, ends) = encoder.withLock { $0.bytes(of: frames) }
                let start = channel.taken
                let receipts = zip(frames, ends).compactMap { frame, end in frame.receipt.map { ($0, start + end) } }
                guard await isWritten(frames, receipts, { () throws(NetworkError) in try await self.write(bytes) })
                else { return }
            case .rest(let rest, let receipts):
                let all = receipts.map { ($0, Int.max) }
                guard await isWritten([], all, { () throws(NetworkError) in try await self.result(of: rest) })
                else { return }
            }
        }
    }

    /// Returns whether writing continues.
    ///
    /// - Parameter receipts: the frames' receipts, each with the number of bytes after which its frame is sent.
    private func isWritten(
        _ frames: [OutgoingFrame],
        _ receipts: [(WebSocketStateMachine.Receipt, end: Int)],
        _ write: () async throws(NetworkError) -> Void
    ) async -> Bool {
        do throws(NetworkError) {
            try await write()
            perform(state.withLock { $0.wrote(frames) })
            return true
        } catch {
            let reason = state.withLock { $0.reason(ofFailedWrite: error) }
            // A message that the system has accepted counts as sent: sending it again would duplicate it.
            let taken = channel.taken
            for (receipt, end) in receipts { receipt.settle(end <= taken ? .success(()) : .failure(reason)) }
            perform(state.withLock { $0.writeFailed(error) })
            return false
        }
    }

    private func result(of receipt: WebSocketStateMachine.Receipt) async throws(NetworkError) {
        let result: Result<Void, NetworkError>
        do throws(CancellationError) {
            result = try await receipt.wait()
        } catch {
            throw .cancelled(request)
        }
        try result.get()
    }

    private func write(_ bytes: [UInt8]) async throws(NetworkError) {
        var rest = bytes[...]
        while rest.count > Self.sizeOfPiece {
            try await channel.send(Array(rest.prefix(Self.sizeOfPiece)))
            rest = rest.dropFirst(Self.sizeOfPiece)
            state.withLock { $0.wrotePiece() }
        }
        try await channel.send(rest.count == bytes.count ? bytes : Array(rest))
    }

    private func watch(every interval: Duration) async {
        let timers = TimerQueue(timebase: timebase)
        defer { timers.stop() }
        let end = state.withLock { $0.end }
        while end.value == nil {
            let deadline = Deadline(in: max(.milliseconds(1), interval), on: timebase)
            do throws(CancellationError) {
                guard try await end.wait(until: deadline, on: timers) == nil else { return }
            } catch {
                return
            }
            guard let effects = state.withLock({ $0.intervalPassed() }) else { return }
            perform(effects)
        }
    }

    /// Closes a connection that was not closed in time.
    private func endAfterTimeout() async {
        let timers = TimerQueue(timebase: timebase)
        defer { timers.stop() }
        let deadline = Deadline(in: max(.zero, options.closeTimeout), on: timebase)
        guard (try? await gone.wait(until: deadline, on: timers)) == nil else { return }
        perform(state.withLock { $0.lost(nil) })
        channel.close()
    }
}

extension CompressionTerms {
    /// One end's compressor.
    fileprivate func side(_ role: WebSocketFrame.Role) -> Side { role == .client ? client : server }
}
