public import Foundation

// Values that have no unique text. Without these overloads the compiler would treat the literal as a string that
// contains the value's description. An unavailable method would not prevent that. An unavailable conformance does.

extension EndpointPath.StringInterpolation {
    /// Rejects a value of a common type, with a specific message.
    public mutating func appendInterpolation(_ value: some PathSegment) { reject() }

    /// Rejects a value of any other type.
    public mutating func appendInterpolation<Value>(_ value: Value, _ reason: some PathSegment = ThisValue()) {
        reject()
    }

    private mutating func reject() { fault = fault ?? "a value in the path has no single text" }
}

/// A value that has a unique text for a path segment. Only types without such a text conform, so they don't compile.
@_documentation(visibility: internal)
public protocol PathSegment {}

/// A value of any other type.
@_documentation(visibility: internal)
public struct ThisValue {
    /// Creates the value for default arguments.
    public init() {}
}

@available(
    *, unavailable,
    message: "A path needs one text: interpolate a string, number, UUID, raw value or LosslessStringConvertible."
)
extension ThisValue: PathSegment {}

@available(*, unavailable, message: "An optional can have no text: unwrap it before it is part of a path.")
extension Optional: PathSegment {}

@available(*, unavailable, message: "A date has many texts: interpolate one, such as 'date.formatted(.iso8601)'.")
extension Date: PathSegment {}

@available(*, unavailable, message: "Data has no text: interpolate one, such as 'data.base64EncodedString()'.")
extension Data: PathSegment {}

@available(*, unavailable, message: "A decimal can have several texts: interpolate one, such as 'price.description'.")
extension Decimal: PathSegment {}

@available(*, unavailable, message: "An array is not a segment: interpolate a text, such as 'tags.joined(separator:)'.")
extension Array: PathSegment {}

@available(*, unavailable, message: "A set is not one segment, and has no order: interpolate a text.")
extension Set: PathSegment {}

@available(*, unavailable, message: "A dictionary is not one segment: interpolate a text, or use the query.")
extension Dictionary: PathSegment {}

@available(
    *, unavailable,
    message: "A URL is not a segment: interpolate a part of it, or its text with '\\(raw: url.absoluteString)'."
)
extension URL: PathSegment {}
