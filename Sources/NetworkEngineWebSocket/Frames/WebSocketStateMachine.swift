import NetworkEngine

/// The rules for one connection: what may be sent, what has arrived, and how the connection ends.
///
/// An event returns the signals to send after releasing the lock. Signals carry no value: the waiting task then queries
/// the state machine again.
package struct WebSocketStateMachine: Sendable {
    typealias Signal = OneShot<Void>
    typealias Receipt = OneShot<Result<Void, NetworkError>>

    private enum Phase {
        case open
        /// A close frame was sent or waits to be sent. `failure` is the reason for an abnormal close.
        case closing(failure: NetworkError?)
        case ended(Result<Void, NetworkError>)
    }

    private let role: WebSocketFrame.Role
    private let options: WebSocketOptions
    private var phase = Phase.open
    private var inbox: UnreadMessages
    private var outbox = WebSocketQueue<OutgoingFrame>()
    /// The latest unanswered pings. Not all must be answered, which bounds the memory (RFC 6455, 5.5.3).
    private var pongs: [[UInt8]] = []
    private static let mostPongs = 64
    private var pings: [(payload: [UInt8], receipt: Receipt)] = []
    private var pingCount: UInt32 = 0
    private var isCloseWritten = false
    /// Whether frames are being written, by the writing task or by a sender.
    private var isWriting = false
    /// The receipts of the frames that are being written.
    private var receiptsOnTheirWay: [Receipt] = []
    /// The result of a message that its sender has written only in part.
    private var begun: Receipt?
    /// Why nothing more can be written while data from the other end may still arrive.
    private var writeFailure: NetworkError?
    /// Whether a message was dropped. Later messages are not delivered, so that none is missing in between.
    private var hasDropped = false
    private var closeOfOther: WebSocketClose??
    private var closeOfThis: WebSocketClose?
    private var silence = WebSocketSilence()

    // Created when a task waits.
    private var readers: Signal?
    private var writer: Signal?
    private var room: Signal?
    /// Signaled when the connection has ended.
    let end = Signal()

    init(role: WebSocketFrame.Role, options: WebSocketOptions) {
        self.role = role
        self.options = options
        inbox = UnreadMessages(limit: options.bufferLimit)
    }

    /// The other end's close frame, or this end's if the other sent none.
    var close: WebSocketClose? {
        switch closeOfOther {
        case .some(let close): close ?? WebSocketClose(code: 1005)
        case nil: closeOfThis
        }
    }

    var hasUnreadMessages: Bool { !inbox.isEmpty }
    /// The reason for an abnormal end; otherwise `nil`.
    var failure: NetworkError? { if case .ended(.failure(let error)) = phase { error } else { nil } }
    var isOpen: Bool { if case .open = phase { true } else { false } }
    private var hasEnded: Bool { if case .ended = phase { true } else { false } }
    /// Whether received bytes are ignored.
    private var hasFailed: Bool {
        switch phase {
        case .open, .closing(nil): false
        case .closing, .ended: true
        }
    }

    // MARK: Sending

    /// Adds a message.
    mutating func send(_ message: WebSocketMessage, _ receipt: Receipt) throws(NetworkError) -> Effects {
        try checkOpen()
        try options.checkRoom(for: message.size, behind: outbox.isEmpty ? nil : outbox.size)
        return enqueue(.message(message, receipt, from: role), size: message.size)
    }

    /// Whether a sender may write its message itself. It must then report the result.
    mutating func mayWriteAtOnce() throws(NetworkError) -> Bool {
        try checkOpen()
        guard !isWriting, outbox.isEmpty, pongs.isEmpty, !silence.isPingDue else { return false }
        isWriting = true
        return true
    }

    /// A sender has written its whole message.
    mutating func wroteAtOnce() -> Effects {
        isWriting = false
        silence.wrote()
        let isIdle = outbox.isEmpty && pongs.isEmpty && !silence.isPingDue && !hasEnded
        return isIdle ? Effects() : Effects(signals: take(\.writer))
    }

    /// A sender has written the beginning of its message. The writing task waits for the rest.
    mutating func began(_ rest: Receipt, _ receipt: Receipt) -> Effects {
        begun = rest
        receiptsOnTheirWay.append(receipt)
        return Effects(signals: take(\.writer))
    }

    /// Adds a ping.
    mutating func ping(_ receipt: Receipt) throws(NetworkError) -> Effects {
        try checkOpen()
        pingCount &+= 1
        let payload = (0..<4).map { UInt8(truncatingIfNeeded: pingCount >> (8 * $0)) }
        pings.append((payload, receipt))
        return enqueue(.control(.ping, payload, from: role))
    }

    /// Adds a close frame, unless the connection is closing.
    mutating func close(with close: WebSocketClose) -> Effects {
        guard isOpen else { return Effects() }
        closeOfThis = close
        return beginClosing(with: close, failure: nil)
    }

    private func checkOpen() throws(NetworkError) {
        switch phase {
        case .open: return
        case .ended(.failure(let error)), .closing(let error?): throw error
        case .closing, .ended:
            if let writeFailure { throw writeFailure }
            try closed.get()
            throw .closedWebSocket
        }
    }

    private mutating func enqueue(_ frame: OutgoingFrame, size: Int = 0) -> Effects {
        outbox.append(frame, size: size)
        return Effects(signals: take(\.writer))
    }

    private mutating func beginClosing(with close: WebSocketClose?, failure: NetworkError?) -> Effects {
        phase = .closing(failure: failure)
        var effects = enqueue(.close(close, from: role))
        // If a slow reader kept the connection from being read, the other end's close frame would never be seen.
        effects.signals += take(\.room)
        effects.startsCloseTimer = true
        return effects
    }

    /// The frames to write next, in one piece.
    ///
    /// A large frame is written alone, so that other calls neither wait for it nor fail with it.
    ///
    /// - Parameter size: the maximum total size of several frames in bytes.
    mutating func nextFrames(upTo size: Int) -> Writing {
        if let rest = begun.take() { return .rest(rest, receiptsOnTheirWay) }
        if isWriting { return .wait(signal(\.writer)) }
        var frames: [OutgoingFrame] = []
        var left = size
        // A message's header counts, too.
        while frames.isEmpty || (outbox.first?.size ?? 0) + 14 <= left, let frame = nextFrame() {
            frames.append(frame)
            left -= frame.size + 14
        }
        isWriting = !frames.isEmpty
        if isWriting { return .frames(frames) }
        return hasEnded ? .end : .wait(signal(\.writer))
    }

    private mutating func nextFrame() -> OutgoingFrame? {
        if hasEnded { return outbox.popFirst() }
        if !pongs.isEmpty { return .control(.pong, pongs.removeFirst(), from: role) }
        // After the waiting messages, the ping could be written too late to be answered.
        if isOpen, silence.takePing() { return .control(.ping, [], from: role) }
        guard !isCloseWritten, let frame = outbox.popFirst() else { return nil }
        if let receipt = frame.receipt { receiptsOnTheirWay.append(receipt) }
        return frame
    }

    /// Frames were written.
    mutating func wrote(_ frames: [OutgoingFrame]) -> Effects {
        isWriting = false
        silence.wrote()
        let effects = Effects(receipts: takeReceiptsOnTheirWay().map { ($0, .success(())) })
        guard frames.contains(where: \.isClose), !hasEnded else { return effects }
        isCloseWritten = true
        // Closing a connection with unread bytes could destroy the close frame in transit.
        if case .closing(let failure?) = phase { return finish(.failure(failure), effects, closesChannel: false) }
        return closeOfOther == nil ? effects : finishHandshake(effects)
    }

    private mutating func takeReceiptsOnTheirWay() -> [Receipt] {
        defer { receiptsOnTheirWay = [] }
        return receiptsOnTheirWay
    }

    /// A piece of a large frame was written: the other end is receiving, although it may be too busy to answer.
    mutating func wrotePiece() { silence.end() }

    /// The error for a frame that could not be written: the closing reason if the connection has ended.
    func reason(ofFailedWrite error: NetworkError) -> NetworkError {
        switch phase {
        case .ended(.failure(let reason)): reason
        case .ended(.success): .closedWebSocket
        case .open, .closing: error
        }
    }

    /// Removes the frame and ping of a canceled call, unless the frame is being written.
    mutating func forget(_ receipt: Receipt) {
        outbox.remove { $0.receipt?.identity == receipt.identity }
        pings.removeAll { $0.receipt.identity == receipt.identity }
    }

    /// Nothing more can be written. Data that the other end sent earlier is still read, because it may contain the
    /// reason.
    mutating func writeFailed(_ error: NetworkError) -> Effects {
        receiptsOnTheirWay = []
        isWriting = false
        guard isOpen else { return lost(error).adding(take(\.writer)) }
        phase = .closing(failure: nil)
        (writeFailure, isCloseWritten) = (error, true)
        var effects = Effects(signals: take(\.room) + take(\.writer))
        effects.receipts = failures(of: error)
        effects.startsCloseTimer = true
        return effects
    }

    /// Both close frames have been exchanged. The server closes the connection (RFC 6455, 7.1.1).
    private mutating func finishHandshake(_ before: Effects) -> Effects {
        finish(closed, before, closesChannel: role == .server || writeFailure != nil)
    }

    // MARK: Receiving

    /// Bytes have arrived. Returns whether they matter.
    ///
    /// Data after the close is ignored: it would fill the memory until this end's close frame is written.
    mutating func arrived() -> Bool {
        silence.end()
        return isListening
    }

    private var isListening: Bool { closeOfOther == nil && !hasFailed }

    /// The received bytes contain these events.
    ///
    /// - Parameter fault: a fault after the events.
    mutating func received(_ events: [WebSocketReader.Event], _ fault: WebSocketFault? = nil) -> Effects {
        var effects = Effects()
        for event in events where isListening { effects.add(handle(event)) }
        if let fault, isListening { effects.add(fail(fault)) }
        return effects
    }

    private mutating func handle(_ event: WebSocketReader.Event) -> Effects {
        switch event {
        case .message(let message):
            // While this end closes, messages that don't fit are dropped: otherwise the close frame would not be read.
            if !isOpen, !inbox.hasRoom { hasDropped = true }
            if hasDropped { return Effects() }
            inbox.append(message)
            return Effects(signals: take(\.readers))
        case .ping(let payload):
            if writeFailure != nil { return Effects() }
            if pongs.count == Self.mostPongs { pongs.removeFirst() }
            pongs.append(payload)
            return Effects(signals: take(\.writer))
        case .pong(let payload):
            guard let index = pings.firstIndex(where: { $0.payload == payload }) else { return Effects() }
            // A pong also answers all earlier pings.
            defer { pings.removeFirst(index + 1) }
            return Effects(receipts: pings[...index].map { ($0.receipt, .success(())) })
        case .close(let close):
            closeOfOther = .some(close)
            if isOpen { return beginClosing(with: close, failure: nil) }
            return isCloseWritten ? finishHandshake(Effects()) : Effects()
        }
    }

    private mutating func fail(_ fault: WebSocketFault) -> Effects {
        let error = NetworkError(kind: fault.code == 1009 ? .limit : .protocolViolation, reason: fault.reason)
        guard isOpen else { return finish(.failure(error), Effects()) }
        closeOfThis = WebSocketClose(code: fault.code)
        var effects = beginClosing(with: closeOfThis, failure: error)
        effects.signals += take(\.readers)
        return effects
    }

    /// The other end has finished without a close frame, or the connection was lost.
    mutating func lost(_ error: NetworkError?) -> Effects {
        switch phase {
        case .ended: return Effects()
        case .closing(let failure?): return finish(.failure(failure), Effects())
        case .closing where closeOfOther != nil: return finish(closed, Effects())
        case .closing(nil): return finish(writeFailure.map { .failure($0) } ?? .success(()), Effects())
        case .open:
            let reason = "the connection ended without a close frame"
            return finish(.failure(error ?? NetworkError(.lostMidBody, reason: reason)), Effects())
        }
    }

    /// The result of a connection that the other end has closed.
    private var closed: Result<Void, NetworkError> {
        guard let close, !close.isNormal, closeOfThis == nil else {
            // A normal close would hide that messages are missing.
            if hasDropped, let writeFailure { return .failure(writeFailure) }
            return .success(())
        }
        return .failure(NetworkError(close))
    }

    /// The next message, or what the reader must do.
    mutating func nextMessage() -> (Reading, Effects) {
        if let message = inbox.popFirst() {
            return (.message(message), roomEffects())
        }
        switch phase {
        case .closing(let failure?), .ended(.failure(let failure)): return (.failure(failure), Effects())
        case .ended(.success): return (.end, Effects())
        case .open, .closing(nil): return (.wait(signal(\.readers)), Effects())
        }
    }

    /// Signals that there is space for more messages; `nil` if there is space now.
    mutating func roomSignal() -> Signal? { inbox.hasRoom || !isOpen ? nil : signal(\.room) }

    private mutating func roomEffects() -> Effects { inbox.hasRoom ? Effects(signals: take(\.room)) : Effects() }

    /// Messages from earlier connections wait for the same reader.
    mutating func reserve(_ size: Int) -> Effects {
        inbox.reserved = size
        return roomEffects()
    }

    /// Removes the unread messages.
    mutating func takeUnreadMessages() -> [WebSocketMessage] { inbox.removeAll() }

    // MARK: Silence

    /// A ping interval has passed. Returns `nil` if there is nothing to do.
    mutating func intervalPassed() -> Effects? {
        guard isOpen else { return nil }
        switch silence.intervalPassed(isRead: inbox.hasRoom) {
        case .isAlive: return Effects()
        case .needsPing: return Effects(signals: take(\.writer))
        case .isLost:
            let reason = "no byte arrived for two ping intervals"
            return finish(.failure(NetworkError(.timeout(.body), reason: reason)), Effects())
        }
    }

    // MARK: The end

    /// Ends the connection for its callers.
    ///
    /// An open connection is closed immediately. A closing one still sends its queue, up to the close frame, which may
    /// be the only report of a fault. Then it is read until the other end or the timer closes it.
    mutating func abandon(_ error: NetworkError?) -> Effects {
        let result: Result<Void, NetworkError> = error.map { .failure($0) } ?? .success(())
        switch phase {
        case .ended: return Effects()
        case .open: return finish(result, Effects())
        case .closing(let failure):
            let lastFrames = writeFailure == nil ? outbox.elements : []
            let effects = finish(
                failure.map { .failure($0) } ?? result, Effects(), closesChannel: writeFailure != nil)
            for frame in lastFrames { outbox.append(frame.withoutReceipt, size: 0) }
            return effects
        }
    }

    private mutating func finish(
        _ result: Result<Void, NetworkError>,
        _ before: Effects,
        closesChannel: Bool = true
    ) -> Effects {
        phase = .ended(result)
        var effects = before
        effects.closesChannel = closesChannel
        effects.signals += take(\.readers) + take(\.writer) + take(\.room) + [end]
        let error = if case .failure(let error) = result { error } else { NetworkError.closedWebSocket }
        effects.receipts += failures(of: error)
        // A channel that remains open may never accept those frames.
        if !closesChannel { effects.receipts += takeReceiptsOnTheirWay().map { ($0, .failure(error)) } }
        return effects
    }

    /// Drops all waiting frames and pings. Returns their receipts with the error.
    private mutating func failures(of error: NetworkError) -> [(Receipt, Result<Void, NetworkError>)] {
        let receipts = outbox.removeAll().compactMap(\.receipt) + pings.map(\.receipt)
        (pings, pongs) = ([], [])
        return receipts.map { ($0, .failure(error)) }
    }
}
