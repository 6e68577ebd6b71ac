/// Why a failure may be worth another attempt.
package enum RetryCause: Hashable, Sendable {
    /// Nothing of the request got to the server, so that it can be repeated whatever it asks for.
    case neverApplied
    /// It may have been carried out: only what may be done twice is repeated.
    case transient
    /// The server asks for less.
    case throttled

    /// `nil` for failures that another attempt would only repeat, and for those that are nobody's failure.
    package init?(_ error: NetworkError, statuses: Set<Int>) {
        if error.kind == .status {
            guard let response = error.response, statuses.contains(response.statusCode) else { return nil }
            let isAskedToWait = response.headers.contains("Retry-After")
            self = response.statusCode == 429 || (response.statusCode == 503 && isAskedToWait) ? .throttled : .transient
            return
        }
        guard let failure = error.transportFailure, failure.kind == error.kind else { return nil }
        switch failure {
        case .dns, .connect, .tls, .offline, .timeout(.connect), .timeout(.queue): self = .neverApplied
        case .lostBeforeResponse, .lostMidBody, .unknown: self = .transient
        case .timeout(.attempt), .timeout(.response), .timeout(.body): self = .transient
        case .timeout(.deadline), .tlsCertificate, .protocolViolation, .contentCoding, .requestBody, .limitExceeded:
            return nil
        }
    }
}
