/// A path whose interpolated values stay within their segments.
///
/// ```swift
/// let path: EndpointPath = "/users/\(name)/notes"      // the name "a/b" is sent as a%2Fb
/// let file: EndpointPath = "/files/\(path: "docs/a b")" // several segments: /files/docs/a%20b
/// let link: EndpointPath = "/items/\(raw: "a%2Fb")"     // escaped already, and sent as it is
/// ```
/// Each interpolated value becomes one segment, or a part of one. It can be a string, a number, a `UUID`, a value whose
/// raw value is one of these, or any `LosslessStringConvertible`. Values of other types, such as a `Date`, do not
/// compile. All characters of a value but letters, digits and `-._~` are escaped, also in a query. A call with a value
/// that is empty, `.` or `..` throws an error of kind `.invalidRequest`, before any I/O.
///
/// The literal parts are the ``template`` of metrics and traces.
///
/// A literal is a path wherever the framework asks for one. A `String` that is not a literal is taken as it is. It does
/// not show where its values begin and end, so that a value in it can add segments and a query.
public struct EndpointPath: Sendable {
    let text: String
    /// The text with `{}` in place of values; `nil` for the text of a variable.
    let pattern: String?
    /// The fault of an interpolated value.
    let valueFault: String?

    /// Creates a path from text that is taken as it is. An existing escape stays.
    public init(_ text: String) { self.init(text, pattern: nil, fault: nil) }

    init(_ text: String, pattern: String?, fault: String?) {
        (self.text, self.pattern, valueFault) = (text, pattern, fault)
    }

    /// The path without its query and with `{}` in place of its values, such as `/users/{}`; `nil` for a `String`.
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

    /// Compares what is sent. The templates can differ.
    public static func == (left: EndpointPath, right: EndpointPath) -> Bool {
        left.text == right.text && left.valueFault == right.valueFault
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
