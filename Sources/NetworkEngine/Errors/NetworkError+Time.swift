extension NetworkError {
    /// The error of a call that did not end in time.
    package static func deadlinePassed(_ request: HTTPRequest? = nil) -> NetworkError {
        NetworkError(.timeout(.deadline), reason: "the call's deadline has passed", request: request)
    }

    /// The error of an exchange that did not end in time.
    package static func timedOut(
        after timeout: Duration,
        _ request: HTTPRequest? = nil,
        underlying: (any Error)? = nil
    ) -> NetworkError {
        NetworkError(
            .timeout(.attempt),
            reason: "no complete response within \(timeout)",
            request: request,
            underlying: underlying
        )
    }
}
