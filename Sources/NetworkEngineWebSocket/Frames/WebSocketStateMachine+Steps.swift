package import NetworkEngine

extension WebSocketStateMachine {
    /// What follows an event, outside of the lock.
    package struct Effects: Sendable {
        package var signals: [Signal] = []
        package var receipts: [(Receipt, Result<Void, NetworkError>)] = []
        /// Whether the connection must end soon, whatever the other end does.
        package var startsCloseTimer = false
        /// Whether the connection must be closed now. Otherwise it is read until the other end closes it.
        package var closesChannel = false

        package func run() {
            for signal in signals { signal.settle(()) }
            for (receipt, result) in receipts { receipt.settle(result) }
        }
    }

    package enum Reading: Sendable {
        case message(WebSocketMessage)
        case end
        case failure(NetworkError)
        case wait(Signal)
    }

    package enum Writing: Sendable {
        case frames([OutgoingFrame])
        case end
        case wait(Signal)
    }
}
