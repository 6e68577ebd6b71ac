/// The moment at which the request of an exchange leaves.
extension Exchange {
    /// From here on the server may receive bytes of the request.
    ///
    /// An exchange that is aborted before this has the phase `.connect`, which says that nothing was sent: its request
    /// must not be sent after that.
    ///
    /// Called again before each repetition by the driver. The request is sent unless the flow is `.stop`.
    package func send() -> Instruction {
        if let error = departureError() { return Instruction(.stop, fail { _ in error }) }
        guard state.withLock({ $0.machine.send() }) else {
            endDeparture()
            return Instruction(.stop)
        }
        context.sends()
        return Instruction(.more)
    }

    /// Begins the departure of the request.
    ///
    /// - Returns: the error of a request that must not leave any more.
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

    /// The server has the request, or never gets it: the driver has released its connection.
    package func endDeparture() {
        guard let departure = context.departure else { return }
        let wasLeaving = state.withLock { state in
            defer { state.isLeaving = false }
            return state.isLeaving
        }
        if wasLeaving { departure.end() }
    }
}
