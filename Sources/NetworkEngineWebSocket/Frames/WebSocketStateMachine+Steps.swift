import NetworkEngine

extension WebSocketStateMachine {
    /// The actions after an event, outside the lock.
    struct Effects: Sendable {
        var signals: [Signal] = []
        var receipts: [(Receipt, Result<Void, NetworkError>)] = []
        /// Whether the connection must close soon, whatever the other end does.
        var startsCloseTimer = false
        /// Whether the connection must be closed now. Otherwise it is read until the other end closes it.
        var closesChannel = false

        func run() {
            for signal in signals { signal.settle(()) }
            for (receipt, result) in receipts { receipt.settle(result) }
        }
    }

    enum Reading: Sendable {
        case message(WebSocketMessage)
        case end
        case failure(NetworkError)
        case wait(Signal)
    }

    enum Writing: Sendable {
        case frames([OutgoingFrame])
        /// The rest of a message that its sender has begun to write, and the message's receipt.
        case rest(Receipt, [Receipt])
        case end
        case wait(Signal)
    }

    /// The signal to wait for.
    mutating func signal(_ path: WritableKeyPath<Self, Signal?>) -> Signal {
        if let signal = self[keyPath: path] { return signal }
        let signal = Signal()
        self[keyPath: path] = signal
        return signal
    }

    /// The signal to send, if a task waits for it.
    mutating func take<Value>(_ path: WritableKeyPath<Self, OneShot<Value>?>) -> [OneShot<Value>] {
        defer { self[keyPath: path] = nil }
        return self[keyPath: path].map { [$0] } ?? []
    }
}

extension WebSocketStateMachine.Effects {
    func adding(_ more: [WebSocketStateMachine.Signal]) -> Self {
        var effects = self
        effects.signals += more
        return effects
    }

    mutating func add(_ other: Self) {
        signals += other.signals
        receipts += other.receipts
        startsCloseTimer = startsCloseTimer || other.startsCloseTimer
        closesChannel = closesChannel || other.closesChannel
    }
}

extension NetworkError {
    static var closedWebSocket: NetworkError {
        NetworkError(kind: .invalidRequest, reason: "the WebSocket is closed")
    }
}
