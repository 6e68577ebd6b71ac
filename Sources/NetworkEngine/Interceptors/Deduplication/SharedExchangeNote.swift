/// Says of an attempt that its answer came from another call's exchange.
private struct SharedExchangeNote: Sendable {
    let attempt: Int
}

extension RequestContext {
    /// Notes that this attempt had no exchange of its own.
    func noteShared() {
        call.notes?.write(SharedExchangeNote(attempt: attempt), by: ObjectIdentifier(SharedExchangeNote.self))
    }

    /// Whether this attempt had no exchange of its own, so that what came of it says nothing more about the host.
    var hasSharedExchange: Bool {
        let note: SharedExchangeNote? = call.notes?.note(of: ObjectIdentifier(SharedExchangeNote.self))
        return note?.attempt == attempt
    }
}
