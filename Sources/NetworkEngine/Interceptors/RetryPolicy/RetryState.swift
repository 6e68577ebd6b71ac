/// What a policy remembers of a call from attempt to attempt.
package struct RetryState: Sendable {
    package struct Payment: Sendable {
        package var host: String
        package var cost: Int
    }

    /// The method that a repetition would begin with, when it is one that must not be repeated.
    package var method: HTTPMethod?
    /// The last pause.
    package var pause: Duration?
    /// What the last retry cost, until it is given back.
    package var payment: Payment?
}

extension RequestContext {
    package var retryNote: RetryState {
        get { call.notes?.note(of: ObjectIdentifier(RetryState.self)) ?? RetryState() }
        nonmutating set { call.notes?.write(newValue, by: ObjectIdentifier(RetryState.self)) }
    }
}
