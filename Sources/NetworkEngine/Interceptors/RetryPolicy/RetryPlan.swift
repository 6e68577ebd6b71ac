/// A retry that a policy suggests.
package struct RetryPlan: Hashable, Sendable {
    package let cause: RetryCause
    package let pause: Duration
}

/// The reason why a failure can be worth another attempt.
package enum RetryCause: Hashable, Sendable {
    /// No part of the request reached the server. Every method can be repeated.
    case neverApplied
    /// The server may have processed the request. Only repeatable requests are sent again.
    case transient
    /// The server asks for fewer requests.
    case throttled

    /// Returns `nil` for cancellations and for failures that another attempt would only repeat.
    package init?(_ error: NetworkError, statuses: Set<Int>) {
        if error.kind == .status {
            guard let response = error.response, statuses.contains(response.statusCode), response.source != .cache
            else {
                return nil
            }
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

/// The state that a policy keeps for a call between attempts.
package struct RetryState: Sendable {
    package struct Payment: Sendable {
        package var host: String
        package var cost: Int
    }

    /// The method of the original request, if it is one that must not be repeated.
    package var method: HTTPMethod?
    var previousPause: Duration?
    /// The cost of the last retry, until the budget gets it back.
    var payment: Payment?
}

extension RequestContext {
    var retryState: RetryState {
        get { call.options.storage?.value(for: ObjectIdentifier(RetryState.self)) ?? RetryState() }
        nonmutating set { call.options.storage?.set(newValue, for: ObjectIdentifier(RetryState.self)) }
    }
}
