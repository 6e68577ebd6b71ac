/// A type of headers besides `HTTPHeaders`: `[String: String]`, or an optional of either.
///
/// A target can declare its headers in such a type. Requests, responses, answers of mocks and responses of a loopback
/// server accept it.
public protocol TargetHeaders {
    /// Returns the headers of a declared value.
    static func headers(declared: Self) -> HTTPHeaders
}

extension HTTPHeaders: TargetHeaders {
    public static func headers(declared: HTTPHeaders) -> HTTPHeaders { declared }
}

extension [String: String]: TargetHeaders {
    public static func headers(declared: [String: String]) -> HTTPHeaders { HTTPHeaders(declared) }
}

extension Optional: TargetHeaders where Wrapped: TargetHeaders {
    public static func headers(declared: Wrapped?) -> HTTPHeaders { declared.map(Wrapped.headers) ?? [:] }
}

extension HTTPHeaders {
    /// Creates headers from a value of another type.
    package init<Declared: TargetHeaders>(declared: Declared) { self = Declared.headers(declared: declared) }

    /// Sets all fields of a dictionary, which replace the fields with the same names.
    @_disfavoredOverload
    public mutating func merge(_ other: some TargetHeaders) { merge(HTTPHeaders(declared: other)) }

    /// Returns these headers merged with a dictionary; its fields replace those with the same names.
    @_disfavoredOverload
    public func merging(_ other: some TargetHeaders) -> HTTPHeaders { merging(HTTPHeaders(declared: other)) }
}
