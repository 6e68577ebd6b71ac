import NetworkEngine

/// The running validations, so that each stored response has only one at a time.
final class ValidationTable: Sendable {
    /// A request's role in the validation of a stored response.
    enum Claim: Sendable {
        /// The request validates the response, and finishes the validation.
        case first
        /// Another call validates the response.
        case running(Validation)
        /// Another request of the same call validates the response. A hedge must not wait for the request that it
        /// hedges.
        case own
    }

    struct Validation: Sendable {
        /// Settled at the end with whether the validation completed. A canceled validation has no result.
        let end = OneShot<Bool>()
        fileprivate let call: RequestID
    }

    private let running = Locked<[String: Validation]>([:])

    /// Starts the validation of an entry, unless one is running.
    func begin(_ token: String, for call: RequestID) -> Claim {
        running.withLock { running in
            if let validation = running[token] { return validation.call == call ? .own : .running(validation) }
            running[token] = Validation(call: call)
            return .first
        }
    }

    /// Finishes the validation, and resumes the requests that wait for it.
    func end(_ token: String, isCompleted: Bool = true) {
        let validation = running.withLock { $0.removeValue(forKey: token) }
        validation?.end.settle(isCompleted)
    }
}
