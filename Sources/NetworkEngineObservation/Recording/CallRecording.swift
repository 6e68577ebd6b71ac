import NetworkEngine

/// Collects the events of calls, and keeps the most recent calls that ended.
final class CallRecording: Sendable {
    /// An object, because a dictionary would copy a value for each change.
    private final class OpenCall {
        var call: RecordedCall
        /// The call's cost included in `openCost`.
        private(set) var cost = 0

        init(_ call: RecordedCall) { self.call = call }

        /// - Returns: the change of the cost.
        func take(_ event: NetworkEvent, errorText: String?, bodyLimit: Int) -> Int {
            call.take(event, errorText: errorText, bodyLimit: bodyLimit)
            let before = cost
            cost = call.cost
            return cost - before
        }
    }

    private struct State {
        var open: [RequestID: OpenCall] = [:]
        var ring: CallRing
        /// The number of calls without a recorded start, because too many were open or the observer was behind.
        var missed = 0
        var missedBodies = 0
        /// The approximate memory size of open calls in bytes.
        var openCost = 0
    }

    /// The maximum number of open calls.
    private static let openLimit = 20_000
    private let bodyLimit: Int
    private let memoryLimit: Int
    private let state: Locked<State>
    let queue: ObserverQueue

    init(limit: Int, of unit: CallRing.Unit, bodyLimit: Int, memoryLimit: Int) {
        let state = Locked(State(ring: CallRing(limit: limit, of: unit, memoryLimit: memoryLimit)))
        (self.bodyLimit, self.memoryLimit, self.state) = (bodyLimit, memoryLimit, state)
        queue = ObserverQueue { Self.record($0, state, bodyLimit: bodyLimit, memoryLimit: memoryLimit) }
    }

    func record(_ event: NetworkEvent) {
        Self.record(event, state, bodyLimit: bodyLimit, memoryLimit: memoryLimit)
    }

    private static func record(_ event: NetworkEvent, _ state: Locked<State>, bodyLimit: Int, memoryLimit: Int) {
        // Error descriptions can run foreign code.
        let errorText = event.error?.description
        state.withLock { state in
            switch event.kind {
            case .callStarted(let start):
                guard state.open.count < openLimit else { return state.missed += 1 }
                state.open[event.callID] = OpenCall(RecordedCall(event.callID, start, at: event.moment))
            case .dropped(let calls): state.missed += calls
            case .bodiesDropped(let messages): state.missedBodies += messages
            case .callEnded:
                guard let open = state.open.removeValue(forKey: event.callID) else { return }
                state.openCost -= open.cost
                open.call.take(event, errorText: errorText, bodyLimit: 0)
                state.ring.append(open.call)
            case .exchangeStarted, .exchangeEnded, .attemptEnded:
                // Bodies of open calls count as well.
                let limit = state.openCost > memoryLimit ? 0 : bodyLimit
                state.openCost += state.open[event.callID]?.take(event, errorText: errorText, bodyLimit: limit) ?? 0
            default: state.open[event.callID]?.call.take(event, errorText: nil, bodyLimit: 0)
            }
        }
    }

    /// The calls sorted by start time, and the number of missing calls.
    struct Snapshot: Sendable {
        var calls: [RecordedCall]
        var missing: Int
        var withoutBodies: Int

        /// What the recording is missing; `nil` if it is complete.
        var note: String? {
            var notes: [String] = []
            if missing > 0 { notes.append("\(missing) calls are not in this recording.") }
            if withoutBodies > 0 { notes.append("The bodies of \(withoutBodies) calls were removed to save memory.") }
            return notes.isEmpty ? nil : notes.joined(separator: " ")
        }
    }

    /// All calls so far, including open ones. Waits for events that are still in the queue.
    func snapshot() -> Snapshot {
        queue.flush()
        return state.withLock { state in
            let calls = (state.ring.calls + state.open.values.map(\.call)).sorted {
                ($0.start.date, $0.id.rawValue) < ($1.start.date, $1.id.rawValue)
            }
            return Snapshot(
                calls: calls, missing: state.missed + state.ring.removed,
                withoutBodies: state.ring.withoutBodies + state.missedBodies)
        }
    }

    /// The approximate memory size of the recording in bytes.
    var cost: Int { state.withLock { $0.ring.cost + $0.openCost } }
}

extension NetworkEvent {
    /// The error of a failed exchange or call.
    fileprivate var error: NetworkError? {
        let result: Result<HTTPResponse, NetworkError>
        switch kind {
        case .exchangeEnded(let end): result = end.result
        case .callEnded(let end): result = end.result
        default: return nil
        }
        if case .failure(let error) = result { return error }
        return nil
    }
}
