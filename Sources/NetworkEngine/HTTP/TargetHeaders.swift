/// A type of headers besides `HTTPHeaders`: `[String: String]`, or an optional of either.
///
/// A target can declare its headers in such a type. Requests, responses, answers of mocks and responses of a loopback
/// server accept it.
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

    /// Sets all fields of a dictionary, which replace the fields with the same names.
    @_disfavoredOverload
    public mutating func merge(_ other: some TargetHeaders) { merge(HTTPHeaders(declared: other)) }

    /// Returns these headers merged with a dictionary; its fields replace those with the same names.
    @_disfavoredOverload
    public func merging(_ other: some TargetHeaders) -> HTTPHeaders { merging(HTTPHeaders(declared: other)) }
}
