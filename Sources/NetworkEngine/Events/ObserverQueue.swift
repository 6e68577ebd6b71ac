package import Dispatch

/// Delivers events to one observer, in order and off the calls' path.
///
/// The number of waiting events and the total size of their bodies are bounded. If the bodies exceed their limit,
/// events are delivered without bodies. A call that starts while the queue is full is not observed at all, so its
/// events cannot be incomplete.
///
/// The first event after a pause waits up to a millisecond for more events, or until the last open call ends, because
/// waking a thread costs as much as several events.
package final class ObserverQueue: Sendable {
    private struct State {
        var pending: [NetworkEvent] = []
        /// An empty array with capacity, for the next events.
        var spare: [NetworkEvent] = []
        /// Whether a delivery starts within a millisecond.
        var isTimed = false
        /// Whether a delivery is running or starts immediately.
        var isDelivering = false
        /// The number of flushes that wait for a delivery to end.
        var flushes = 0
        /// The number of calls that have started and not ended.
        var openCalls = 0
        var droppedCalls = 0
        /// The size of the waiting bodies in bytes.
        var bytes = 0
        var droppedBodies = 0

        /// Counts calls. Returns which delivery must be started.
        mutating func wake(after kind: NetworkEvent.Kind) -> Wake {
            var isLast = false
            switch kind {
            case .callStarted: openCalls += 1
            case .callEnded:
                openCalls -= 1
                isLast = openCalls == 0
            default: break
            }
            if isDelivering || isTimed && !isLast { return .none }
            if isLast { isDelivering = true } else { isTimed = true }
            return isLast ? .now : .soon
        }

        /// Takes everything that is waiting. If there was nothing, the next event wakes a thread.
        mutating func take() -> (events: [NetworkEvent], calls: Int, bodies: Int) {
            let taken = (pending, droppedCalls, droppedBodies)
            isDelivering = !pending.isEmpty || droppedCalls > 0
            guard isDelivering else { return taken }
            (pending, droppedCalls, droppedBodies) = (spare, 0, 0)
            spare = []
            return taken
        }
    }

    /// The number of waiting events at which no further call is observed.
    private let limit: Int
    private let byteLimit: Int
    private let gathering: DispatchTimeInterval
    private let handle: @Sendable (NetworkEvent) -> Void
    private let queue = DispatchQueue(label: "NetworkEngine.observer")
    private let state = Locked(State())

    /// The number of events with reusable memory.
    private static let keptCapacity = 1 << 8

    /// - Parameter gathering: the maximum time that an event waits for others.
    package init(
        limit: Int = 1 << 14,
        byteLimit: Int = 32 << 20,
        gathering: DispatchTimeInterval = .milliseconds(1),
        _ handle: @escaping @Sendable (NetworkEvent) -> Void
    ) {
        self.limit = limit
        self.byteLimit = byteLimit
        self.gathering = gathering
        self.handle = handle
    }

    /// Whether a call that starts now is observed.
    func acceptsCall() -> Bool {
        state.withLock { state in
            if state.pending.count < limit { return true }
            state.droppedCalls += 1
            return false
        }
    }

    /// Adds an event of an observed call.
    ///
    /// - Parameter isVital: whether the call's events are incomplete without this one.
    func post(_ event: NetworkEvent, isVital: Bool) {
        let size = event.bodySize
        let wake = state.withLock { state -> Wake in
            guard isVital || state.pending.count < limit else { return .none }
            let keepsBody = size <= byteLimit - state.bytes
            state.bytes += keepsBody ? size : 0
            state.droppedBodies += keepsBody ? 0 : 1
            state.pending.append(keepsBody ? event : event.withoutBodies)
            return state.wake(after: event.kind)
        }
        switch wake {
        case .none: break
        case .soon:
            queue.asyncAfter(deadline: .now() + gathering) {
                self.state.withLock { $0.isTimed = false }
                self.deliver()
            }
        case .now: queue.async { self.deliver() }
        }
    }

    private enum Wake { case none, soon, now }

    /// Waits until the observer has handled all events posted before. Call it outside the observer.
    package func flush() {
        state.withLock { $0.flushes += 1 }
        queue.sync { deliver() }
        state.withLock { $0.flushes -= 1 }
        // Delivers what has arrived in the meantime.
        queue.async { self.deliver() }
    }

    /// Delivers events until none is waiting. If a flush is waiting, it delivers the rest.
    private func deliver() {
        while true {
            var (events, calls, bodies) = state.withLock { $0.take() }
            if events.isEmpty, calls == 0 { return }
            for event in events {
                handle(event)
                let size = event.bodySize
                if size > 0 { state.withLock { $0.bytes -= size } }
            }
            if bodies > 0 { report(.bodiesDropped(messages: bodies)) }
            if calls > 0 { report(.dropped(calls: calls)) }
            let isKept = events.capacity <= Self.keptCapacity
            events.removeAll(keepingCapacity: isKept)
            let isAwaited = state.withLock { [events] state in
                if isKept { state.spare = events }
                return state.flushes > 0
            }
            if isAwaited { return }
        }
    }

    private func report(_ kind: NetworkEvent.Kind) { handle(NetworkEvent(callID: RequestID(rawValue: 0), kind: kind)) }
}

/// An observer with its own queue, which it can empty before it answers.
package protocol QueuedObserver: NetworkObserver {
    var queue: ObserverQueue { get }
}
