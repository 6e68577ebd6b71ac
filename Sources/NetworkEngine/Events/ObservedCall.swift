/// A call with several steps, which its owner ends: the connections of an event stream, or a request and its decoding
/// outside the engine.
///
/// Releasing it ends the call as canceled.
package final class ObservedCall: Sendable {
    private enum State {
        case new
        /// Without an observation, the observers are behind.
        case begun(CallObservation?)
    }

    let id = RequestID()
    private let observers: ObserverList
    private let state = Locked(State.new)

    /// - Returns: `nil` without observers.
    init?(_ observers: ObserverList) {
        if observers.isEmpty { return nil }
        self.observers = observers
    }

    deinit { end(.cancelled(nil)) }

    /// The call's observation, which starts with the first step.
    func observation(_ start: () -> NetworkEvent.CallStart) -> CallObservation? {
        if case .begun(let observation) = state.withLock({ $0 }) { return observation }
        let observation = observers.observation(of: id)
        state.withLock { $0 = .begun(observation) }
        observation?.begin(start())
        return observation
    }

    /// Posts an event between the steps, or in one of them.
    package func post(_ kind: NetworkEvent.Kind) { current?.post(kind) }

    package func end(_ error: NetworkError?) { current?.end(error) }

    /// Decodes a value, and posts the result if the call is observed.
    package static func decoding<Value>(
        in call: ObservedCall?, _ decode: () throws(NetworkError) -> Value
    ) throws(NetworkError) -> Value {
        guard let observation = call?.current else { return try decode() }
        return try observation.decoding(decode)
    }

    /// The observation, after the first step has started.
    var current: CallObservation? {
        if case .begun(let observation) = state.withLock({ $0 }) { observation } else { nil }
    }
}

extension CallObservation {
    /// Decodes a value and posts the result.
    func decoding<Value>(_ decode: () throws(NetworkError) -> Value) throws(NetworkError) -> Value {
        let start = Moment.now
        let result = Result(catching: decode)
        let error: NetworkError? = if case .failure(let error) = result { error } else { nil }
        let duration = Moment.now - start
        post(.decoded(.init(typeName: String(describing: Value.self), duration: duration, error: error)))
        return try result.get()
    }
}
