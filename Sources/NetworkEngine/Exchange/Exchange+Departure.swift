/// The moment when the request of an exchange is sent.
extension Exchange {
    /// Call this before sending. From here on the server may receive bytes of the request.
    ///
    /// An exchange that is aborted earlier has the phase `.connect`, which means that nothing was sent: its request
    /// must not be sent afterwards.
    ///
    /// The driver calls this again before each resend. The request is sent unless the flow is `.stop`.
    package func send() -> Instruction {
        if let error = departureError() { return Instruction(.stop, fail { _ in error }) }
        guard state.withLock({ $0.machine.send() }) else {
            endDeparture()
            return Instruction(.stop)
        }
        context.sends()
        return Instruction(.more)
    }

    /// Starts the departure of the request.
    ///
    /// - Returns: the error for a request that must no longer be sent.
    private func departureError() -> NetworkError? {
        guard let departure = context.departure else { return nil }
        endDeparture()
        if let error = departure.begin(request) { return error }
        let isOver = state.withLock { state in
            state.isLeaving = !state.machine.isOver
            return !state.isLeaving
        }
        if isOver { departure.end() }
        return nil
    }

    /// Call this when the server has received the request or never will: the driver has released its connection.
    package func endDeparture() {
        guard let departure = context.departure else { return }
        let wasLeaving = state.withLock { state in
            defer { state.isLeaving = false }
            return state.isLeaving
        }
        if wasLeaving { departure.end() }
    }
}
