/// A request method, such as `.get` or `"PURGE"`.
///
/// A request with a method that is not a token fails with `.invalidRequest` before any I/O. Methods are case-sensitive.
/// The standard ones are uppercase.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { self.rawValue = value }

    /// Requests a representation of the resource.
    public static let get: Self = "GET"
    /// Requests the head of the response to a GET, without its body.
    public static let head: Self = "HEAD"
    /// Passes the body to the resource for processing.
    public static let post: Self = "POST"
    /// Creates the resource, or replaces it, with the body as its content.
    public static let put: Self = "PUT"
    /// Changes the resource as described by the body.
    public static let patch: Self = "PATCH"
    /// Removes the resource.
    public static let delete: Self = "DELETE"
    /// Requests the methods and options that the resource supports.
    public static let options: Self = "OPTIONS"
    /// Requests a copy of the request as the server received it, for diagnostics.
    public static let trace: Self = "TRACE"
    /// Requests a tunnel through a proxy.
    public static let connect: Self = "CONNECT"
    /// Requests the result of the query in the body. Unlike POST, it only reads, so it can be repeated.
    public static let query: Self = "QUERY"

    /// Whether the method announces the length of an empty body.
    package var announcesLength: Bool { self == .post || self == .put || self == .patch }

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
