import Foundation

/// Parses the `Retry-After` header (RFC 9110 10.2.3).
package enum RetryAfter {
    /// Returns the pause that a response asks for; `nil` without a valid `Retry-After`.
    ///
    /// A date is compared with the response's own `Date`, so a difference between the two clocks does not matter. Of
    /// several values the longest counts.
    ///
    /// - Parameter now: seconds since 1970, for a response without a `Date`.
    package static func pause(in headers: HTTPHeaders, now: () -> Int64) -> Duration? {
        headers.values(for: "Retry-After").compactMap { value -> Duration? in
            let value = value.trimmingCharacters(in: .whitespaces)
            if let seconds = seconds(value) { return .seconds(seconds) }
            guard let date = HTTPDate.seconds(value) else { return nil }
            let start = headers["Date"].flatMap(HTTPDate.seconds) ?? now()
            return .seconds(min(max(0, date - start), longest))
        }.max()
    }

    /// Parses digits, saturating. A negative number gives 0; other text gives `nil`.
    private static func seconds(_ text: String) -> Int64? {
        let isNegative = text.hasPrefix("-")
        let digits = isNegative ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return isNegative ? 0 : min(Int64(digits) ?? longest, longest)
    }

    /// About thirty years, far from an overflow.
    private static let longest: Int64 = 1 << 30
}

/// An error of an interceptor that refuses requests for a time, such as an open `CircuitBreaker`.
package protocol RefusalForAPause: Error {
    var retryAfter: Duration? { get }
}

extension NetworkError {
    /// The pause until the next request is welcome, from a `Retry-After` header or an open `CircuitBreaker`.
    public var retryAfter: Duration? {
        if let refusal = underlying as? any RefusalForAPause { return refusal.retryAfter }
        guard let headers = response?.headers, headers.contains("Retry-After") else { return nil }
        return RetryAfter.pause(in: headers) { Int64(Date().timeIntervalSince1970) }
    }
}
