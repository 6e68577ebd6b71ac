package import NetworkEngine

/// Stores the events of calls.
package final class EventLog: QueuedObserver {
    package let queue: ObserverQueue
    private let stored: Locked<[NetworkEvent]>

    package init(limit: Int = 1 << 14) {
        let stored = Locked<[NetworkEvent]>([])
        self.stored = stored
        queue = ObserverQueue(limit: limit) { event in stored.withLock { $0.append(event) } }
    }

    package func handle(_ event: NetworkEvent) { stored.withLock { $0.append(event) } }

    /// The events that were posted so far.
    package var events: [NetworkEvent] {
        queue.flush()
        return stored.withLock { $0 }
    }

    /// The names of the events so far.
    package var names: [String] { events.map(\.kind.name) }

    /// The faults in the events so far, including calls that have not ended.
    package var faults: [String] {
        var balance = EventBalance()
        for event in events { balance.add(event) }
        return balance.faults + balance.openCalls.map { "\($0) has not ended" }
    }

    /// The errors of the finished calls, and `nil` for those that succeeded.
    package var outcomes: [NetworkErrorKind?] {
        events.compactMap { event in
            guard case .callEnded(let end) = event.kind else { return nil }
            return end.result.kind
        }
    }
}

extension Result where Success == HTTPResponse, Failure == NetworkError {
    /// The kind of the error; `nil` for a response.
    package var kind: NetworkErrorKind? { if case .failure(let error) = self { error.kind } else { nil } }
}
