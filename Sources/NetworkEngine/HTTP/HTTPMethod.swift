/// A request method, such as `.get` or `"PURGE"`.
///
/// A request with a method that is not a token fails with `.invalidRequest` before any I/O.
/// Methods are case-sensitive. The standard ones are uppercase.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { self.rawValue = value }

    public static let get: Self = "GET"
    public static let head: Self = "HEAD"
    public static let post: Self = "POST"
    public static let put: Self = "PUT"
    public static let patch: Self = "PATCH"
    public static let delete: Self = "DELETE"
    public static let options: Self = "OPTIONS"
    public static let trace: Self = "TRACE"
    public static let connect: Self = "CONNECT"
    public static let query: Self = "QUERY"

    /// Whether several requests have the same effect as one.
    public var isIdempotent: Bool {
        switch self {
        case .get, .head, .options, .trace, .put, .delete, .query: true
        default: false
        }
    }

    /// Whether the method only reads.
    public var isSafe: Bool {
        switch self {
        case .get, .head, .options, .trace, .query: true
        default: false
        }
    }

    public var description: String { rawValue }
}
