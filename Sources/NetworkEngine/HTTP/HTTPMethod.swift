/// A request method, such as `.get` or `"PURGE"`.
///
/// Any token is accepted here; one that is not a token is refused before I/O with `.invalidRequest`.
/// Methods are case-sensitive on the wire, and the names of the standard ones are upper-case.
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

    /// Whether asking for something more than once has the same effect as asking once.
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
