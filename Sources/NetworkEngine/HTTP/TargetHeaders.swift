/// A type for headers other than `HTTPHeaders`: `[String: String]`, or an optional of either.
///
/// A target can declare its headers with such a type. Requests, responses, mock responses and loopback server responses
/// accept it.
@_documentation(visibility: internal)
public protocol TargetHeaders {}
extension HTTPHeaders: TargetHeaders {}
extension [String: String]: TargetHeaders {}
extension Optional: TargetHeaders where Wrapped: TargetHeaders {}

extension HTTPHeaders {
    /// Creates headers from a value of another type.
    package init(declared: some TargetHeaders) {
        self = declared as? HTTPHeaders ?? (declared as? [String: String]).map { HTTPHeaders($0) } ?? [:]
    }

    /// Sets all fields of a dictionary, replacing fields with the same names.
    @_disfavoredOverload
    public mutating func merge(_ other: some TargetHeaders) { merge(HTTPHeaders(declared: other)) }

    /// Returns these headers merged with a dictionary, which replaces fields with the same names.
    @_disfavoredOverload
    public func merging(_ other: some TargetHeaders) -> HTTPHeaders { merging(HTTPHeaders(declared: other)) }
}
