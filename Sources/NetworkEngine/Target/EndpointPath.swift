/// A path that keeps interpolated values within their segments.
///
/// ```swift
/// let path: EndpointPath = "/users/\(name)/notes"      // the name "a/b" is sent as a%2Fb
/// let file: EndpointPath = "/files/\(path: "docs/a b")" // several segments: /files/docs/a%20b
/// let link: EndpointPath = "/items/\(raw: "a%2Fb")"     // escaped already, and sent as it is
/// ```
/// Each interpolated value becomes one segment, or part of one. It can be a string, a number, a `UUID`, a value with
/// one of these as its raw value, or any `LosslessStringConvertible`. Values of other types, such as `Date`, do not
/// compile. All characters of a value except letters, digits and `-._~` are escaped, including in a query. If a value
/// is empty, `.` or `..`, the call throws an error of kind `.invalidRequest`, before any I/O.
///
/// The literal parts form the ``template`` for metrics and traces.
///
/// A literal becomes a path wherever the framework expects one. A `String` that is not a literal is used unchanged. It
/// doesn't show where its values begin and end, so a value in it can add segments and a query.
public struct EndpointPath: Sendable {
    let text: String
    /// The text with `{}` instead of values; `nil` for the text of a variable.
    let pattern: String?
    /// The fault of an interpolated value, if any.
    let valueFault: String?

    /// Creates a path from text, which is used unchanged. Existing escapes are kept.
    public init(_ text: String) { self.init(text, pattern: nil, fault: nil) }

    init(_ text: String, pattern: String?, fault: String?) {
        (self.text, self.pattern, valueFault) = (text, pattern, fault)
    }

    /// The path without its query and with `{}` instead of values, such as `/users/{}`; `nil` for a `String`.
    public var template: String? {
        guard let pattern else { return nil }
        let path = AddressText(pattern).path
        return path.isEmpty ? nil : path
    }

    /// The reason why the path cannot be sent.
    var fault: String? {
        if let valueFault { return valueFault }
        let hasDots =
            DotSegments.occur(in: text, splittingAtEscapes: pattern == nil)
            || pattern.map { DotSegments.occur(in: $0, splittingAtEscapes: true) } == true
        return hasDots ? "the path has a segment '.' or '..', which leads to another path" : nil
    }

    /// Returns the path with another query or scheme, and with the same template and fault.
    package func replacing(_ text: String) -> EndpointPath { EndpointPath(text, pattern: pattern, fault: valueFault) }
}

extension EndpointPath: Hashable, CustomStringConvertible {
    /// The text of the path, with escaped values.
    public var description: String { text }

    /// Compares the text that is sent. Templates can differ.
    public static func == (left: EndpointPath, right: EndpointPath) -> Bool {
        left.text == right.text && left.valueFault == right.valueFault
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
