extension NetworkError {
    /// The error of a call that did not end in time.
    ///
    /// - Parameter isQueued: whether the request was waiting to be sent, so that the deadline says nothing about the host.
    package static func deadlinePassed(_ request: HTTPRequest? = nil, isQueued: Bool = false) -> NetworkError {
        let cause = isQueued ? NetworkError(.timeout(.queue), reason: "the request was waiting to be sent") : nil
        return NetworkError(
            .timeout(.deadline), reason: "the call's deadline has passed", request: request, underlying: cause)
    }

    /// Whether the time was up before the host was asked.
    package var isTimeoutInQueue: Bool {
        transportFailure == .timeout(.queue) || (underlying as? NetworkError)?.transportFailure == .timeout(.queue)
    }

    /// The error of an exchange in which no byte came or went for too long.
    package static func timedOut(
        after timeout: Duration,
        during phase: TransportFailure.TimeoutPhase = .attempt,
        _ request: HTTPRequest? = nil,
        underlying: (any Error)? = nil
    ) -> NetworkError {
        NetworkError(
            .timeout(phase),
            reason: "no byte was sent or received for \(timeout), during the phase \(phase.rawValue)",
            request: request,
            underlying: underlying
        )
    }
}
