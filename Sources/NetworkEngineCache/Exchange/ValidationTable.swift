import NetworkEngine

/// The validations that are running, so that each stored response has one at a time.
final class ValidationTable: Sendable {
    /// The part of a request in the validation of a stored response.
    enum Claim: Sendable {
        /// The request validates the response, and ends the validation.
        case first
        /// Another call validates the response.
        case running(Validation)
        /// Another request of the same call validates the response. A hedge must not wait for what it hedges.
        case own
    }

    struct Validation: Sendable {
        /// Settled at the end, with whether the validation was completed. A canceled one says nothing.
        let end = OneShot<Bool>()
        fileprivate let call: RequestID
    }

    private let running = Locked<[String: Validation]>([:])

    /// Begins the validation of an entry, unless one is running.
    func begin(_ token: String, for call: RequestID) -> Claim {
        running.withLock { running in
            if let validation = running[token] { return validation.call == call ? .own : .running(validation) }
            running[token] = Validation(call: call)
            return .first
        }
    }

    /// Ends the validation, and resumes the requests that wait for it.
    func end(_ token: String, isCompleted: Bool = true) {
        let validation = running.withLock { $0.removeValue(forKey: token) }
        validation?.end.settle(isCompleted)
    }
}
