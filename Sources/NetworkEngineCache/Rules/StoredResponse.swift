import Foundation
public import NetworkEngine

/// The head of a stored response, and the times for computing its age.
public struct StoredResponse: Hashable, Sendable {
    /// The bytes of a representation that a stored body contains.
    package struct Part: Hashable, Sendable {
        var bounds: Range<Int64>
        /// The length of the whole representation, if known.
        var total: Int64?

        init(bounds: Range<Int64>, total: Int64?) {
            self.bounds = bounds
            self.total = total
        }

        /// The part declared in `Content-Range`; `nil` if invalid.
        init?(_ headers: HTTPHeaders) {
            let lines = headers.values(for: "Content-Range")
            guard lines.count == 1, let range = lines.first.flatMap(ContentRange.init), range.end < .max else {
                return nil
            }
            self.init(bounds: range.start..<(range.end + 1), total: range.total)
        }

        var isWhole: Bool { bounds.lowerBound == 0 && bounds.upperBound == total }

        /// The `Content-Range` value.
        var text: String {
            "bytes \(bounds.lowerBound)-\(bounds.upperBound - 1)/\(total.map(String.init) ?? "*")"
        }
    }

    /// The response status.
    public package(set) var statusCode: Int { didSet { updateFreshness() } }
    /// The stored header fields, without connection-specific fields and those listed in `no-cache`.
    public package(set) var headers: HTTPHeaders { didSet { updateFreshness() } }
    var variant: Variant
    /// When the request was sent.
    var requestTime: Date { didSet { updateFreshness() } }
    /// When the response head arrived.
    var responseTime: Date { didSet { updateFreshness() } }
    /// The number of bytes in the stored body.
    ///
    /// A writer sets it when the body has ended.
    public var bodyLength: Int64
    /// The stored part of an incomplete response; `nil` for a complete one.
    var part: Part?
    /// The freshness information in the head.
    private(set) var freshness: FreshnessBasis

    init(
        statusCode: Int,
        headers: HTTPHeaders,
        variant: Variant = Variant(names: [], values: "", identity: ""),
        requestTime: Date,
        responseTime: Date,
        bodyLength: Int64 = 0,
        part: Part? = nil
    ) {
        self.statusCode = statusCode
        self.headers = headers
        self.variant = variant
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.bodyLength = bodyLength
        self.part = part
        freshness = FreshnessBasis(
            statusCode: statusCode, headers: headers, requestTime: requestTime, responseTime: responseTime)
    }

    private mutating func updateFreshness() {
        freshness = FreshnessBasis(
            statusCode: statusCode, headers: headers, requestTime: requestTime, responseTime: responseTime)
    }

    /// Whether this response replaces another one with the same key: both answer the same requests.
    public func replaces(_ other: StoredResponse) -> Bool { variant == other.variant }

    var isComplete: Bool { part == nil }

    /// The time of origin: `Date`, or the time of arrival.
    var date: Date { freshness.date }
}

extension HTTPHeaders {
    /// Removes the fields that apply to a single connection (RFC 9110, 7.6.1), those listed in `Connection`, and the
    /// server's proof of knowing a password, which applies to a single exchange.
    var endToEnd: HTTPHeaders {
        let named = ListField.members(of: values(for: "Connection"))
        var headers = self
        headers.removeAll { name in
            Self.fieldsOfExchange.contains { $0.equalsIgnoringASCIICase(name) }
                || named.contains { $0.equalsIgnoringASCIICase(name) }
        }
        return headers
    }

    private static let fieldsOfExchange = [
        "Authentication-Info", "Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authentication-Info",
        "Proxy-Authorization", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade",
    ]
}
