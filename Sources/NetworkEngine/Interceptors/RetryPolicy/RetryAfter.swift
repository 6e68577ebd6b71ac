import Foundation

/// When a server says that it may be asked again (RFC 9110 10.2.3).
package enum RetryAfter {
    /// The pause that a response asks for; `nil` when it asks for none or in words that mean nothing.
    ///
    /// A date is compared with the response's own `Date`, which cancels what the two clocks differ by. Of several values
    /// the longest counts.
    ///
    /// - Parameter now: seconds since 1970, for a server that does not say what time it is.
    package static func pause(in headers: HTTPHeaders, now: () -> Int64) -> Duration? {
        headers.values(for: "Retry-After").compactMap { value -> Duration? in
            let value = value.trimmingCharacters(in: .whitespaces)
            if let seconds = seconds(value) { return .seconds(seconds) }
            guard let date = HTTPDate.seconds(value) else { return nil }
            let start = headers["Date"].flatMap(HTTPDate.seconds) ?? now()
            return .seconds(min(max(0, date - start), longest))
        }.max()
    }

    /// Digits, saturating; a negative number is no pause, anything else no number.
    private static func seconds(_ text: String) -> Int64? {
        let isNegative = text.hasPrefix("-")
        let digits = isNegative ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return isNegative ? 0 : min(Int64(digits) ?? longest, longest)
    }

    /// Some thirty years, with which one can calculate.
    private static let longest: Int64 = 1 << 30
}

extension NetworkError {
    /// When the server may be asked again, as a pause from its answer on: by its own words, or by a `CircuitBreaker`'s.
    public var retryAfter: Duration? {
        if let circuit = underlying as? CircuitOpen { return circuit.retryAfter }
        guard let headers = response?.headers, headers.contains("Retry-After") else { return nil }
        return RetryAfter.pause(in: headers) { Int64(Date().timeIntervalSince1970) }
    }
}
