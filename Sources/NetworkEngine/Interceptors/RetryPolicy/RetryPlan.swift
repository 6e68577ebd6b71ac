import Foundation

/// A retry that a policy suggests.
struct RetryPlan: Hashable, Sendable {
    let cause: RetryCause
    let pause: Duration
}

/// The reason why a failure may be worth another attempt.
package enum RetryCause: Hashable, Sendable {
    /// No part of the request reached the server. Every method can be retried.
    case neverApplied
    /// The server may have processed the request. Only repeatable requests are retried.
    case transient
    /// The server is throttling.
    case throttled

    /// Returns `nil` for cancellations and for failures that a retry would only repeat.
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

extension NetworkError {
    /// Whether another call can succeed later. For long-lived users: a WebSocket, an event stream or an upload.
    ///
    /// They can wait longer than a retry: even after a deadline, for an open circuit, and for a refresh that failed for
    /// a temporary reason or that the server refused without ending the session.
    package func isTemporary(statuses: Set<Int>) -> Bool {
        let cause = networkCause ?? self
        if cause.underlying is any ServiceUnavailability { return true }
        if networkCause != nil, cause.kind == .status { return true }
        if isRefusedRefresh { return true }
        return RetryCause(cause, statuses: statuses) != nil || cause.transportFailure == .timeout(.deadline)
    }
}

/// The state that a policy keeps for a call between attempts.
struct RetryState: Sendable {
    struct Payment: Sendable {
        var host: String
        var cost: Int
    }

    /// The original request's method, if it must not be repeated.
    var method: HTTPMethod?
    var previousPause: Duration?
    /// The cost of the last retry, until it is returned to the budget.
    var payment: Payment?
}

extension RequestContext {
    var retryState: RetryState {
        get { call.options.storage?.value(for: ObjectIdentifier(RetryState.self)) ?? RetryState() }
        nonmutating set { call.options.storage?.set(newValue, for: ObjectIdentifier(RetryState.self)) }
    }
}

/// Parses the `Retry-After` header (RFC 9110 10.2.3).
enum RetryAfter {
    /// Returns the delay that a response requests; `nil` without a valid `Retry-After`.
    ///
    /// A date is compared with the response's own `Date`, so a difference between the two clocks does not matter. If
    /// there are several values, the longest one counts.
    ///
    /// - Parameter now: seconds since 1970, for a response without a `Date`.
    static func pause(in headers: HTTPHeaders, now: () -> Int64) -> Duration? {
        headers.values(for: "Retry-After").compactMap { value -> Duration? in
            let value = value.trimmingCharacters(in: .whitespaces)
            if let seconds = seconds(value) { return .seconds(seconds) }
            guard let date = HTTPDate.seconds(value) else { return nil }
            let start = headers["Date"].flatMap(HTTPDate.seconds) ?? now()
            return .seconds(min(max(0, date - start), longest))
        }.max()
    }

    /// Parses digits, saturating. Returns 0 for a negative number and `nil` for other text.
    private static func seconds(_ text: String) -> Int64? {
        let isNegative = text.hasPrefix("-")
        let digits = isNegative ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return isNegative ? 0 : min(Int64(digits) ?? longest, longest)
    }

    /// About thirty years, far below an overflow.
    private static let longest: Int64 = 1 << 30
}

/// An error of an interceptor that rejects requests for some time, such as an open `CircuitBreaker`.
package protocol RefusalForAPause: Error {
    var retryAfter: Duration? { get }
}

extension NetworkError {
    /// The time to wait before the next request, from a `Retry-After` header or an open `CircuitBreaker`.
    public var retryAfter: Duration? {
        let cause = networkCause ?? self
        if let refusal = cause.underlying as? any RefusalForAPause { return refusal.retryAfter }
        guard let headers = (cause.response ?? response)?.headers, headers.contains("Retry-After") else { return nil }
        return RetryAfter.pause(in: headers) { Int64(Date().timeIntervalSince1970) }
    }
}
