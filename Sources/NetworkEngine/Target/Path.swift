public import Foundation

/// A path whose interpolated values stay within their segments.
///
/// ```swift
/// let path: Path = "/users/\(name)/notes"      // the name "a/b" is sent as a%2Fb
/// let file: Path = "/files/\(path: "docs/a b")" // several segments: /files/docs/a%20b
/// let link: Path = "/items/\(raw: "a%2Fb")"     // escaped already, and sent as it is
/// ```
/// Each interpolated value becomes one segment, or a part of one. All of its characters but letters, digits and `-._~`
/// are escaped, also in a query. A call with a value that is empty, `.` or `..` throws an error of kind
/// `.invalidRequest`, before any I/O.
///
/// The literal parts are the ``template`` of metrics and traces.
///
/// A literal is a path wherever the framework asks for one. A `String` that is not a literal is taken as it is. It does
/// not show where its values begin and end, so that a value in it can add segments and a query.
public struct Path: Sendable {
    let text: String
    /// The text with `{}` in place of values; `nil` for the text of a variable.
    private let pattern: String?
    /// The fault of an interpolated value.
    private let valueFault: String?

    /// Creates a path from text that is taken as it is. An existing escape stays.
    public init(_ text: String) { self.init(text, pattern: nil, fault: nil) }

    private init(_ text: String, pattern: String?, fault: String?) {
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
    package func replacing(_ text: String) -> Path { Path(text, pattern: pattern, fault: valueFault) }
}

extension Path: Hashable, CustomStringConvertible {
    /// The text of the path, with escaped values.
    public var description: String { text }

    /// Compares what is sent. The templates can differ.
    public static func == (left: Path, right: Path) -> Bool {
        left.text == right.text && left.valueFault == right.valueFault
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension Path: ExpressibleByStringInterpolation {
    public init(stringLiteral text: String) { self.init(text, pattern: text, fault: nil) }

    public init(stringInterpolation parts: StringInterpolation) {
        self.init(parts.text, pattern: parts.pattern, fault: parts.fault)
    }

    /// Collects the parts of a literal with values.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate var text = ""
        fileprivate var pattern = ""
        fileprivate var fault: String?
        private var isQuery = false

        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        public mutating func appendLiteral(_ literal: String) { append(literal, pattern: literal) }

        /// Adds a value as one segment, or as a part of one.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            append(value: value.description)
        }

        /// Adds the raw value of a value as one segment, or as a part of one.
        public mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value)
        where Value.RawValue: CustomStringConvertible {
            append(value: value.rawValue.description)
        }

        /// Adds a value that also has a raw value, in its description.
        public mutating func appendInterpolation<Value: RawRepresentable & CustomStringConvertible>(_ value: Value)
        where Value.RawValue: CustomStringConvertible {
            append(value: value.description)
        }

        /// Adds a value as one segment, or other text if there is no value.
        public mutating func appendInterpolation(
            _ value: (some CustomStringConvertible)?, default text: @autoclosure () -> some StringProtocol
        ) {
            append(value: value?.description ?? String(text()))
        }

        /// Rejects a URL, which is not a segment. The call throws an error of kind `.invalidRequest`.
        public mutating func appendInterpolation(_ url: URL) {
            fault = fault ?? "a URL is not a segment of a path; '\\(raw: url.absoluteString)' adds its text"
        }

        private mutating func append(value: String) {
            check(value)
            append(Self.escaped(value), pattern: "{}")
        }

        /// Adds a value of several segments, which slashes separate. No segment can be empty.
        public mutating func appendInterpolation(path value: some StringProtocol) {
            let segments = value.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            segments.forEach { check($0) }
            append(segments.map(Self.escaped).joined(separator: "/"), pattern: "{}")
        }

        /// Adds text that is escaped already, as it is.
        public mutating func appendInterpolation(raw value: some StringProtocol) {
            let value = String(value)
            if !isQuery, DotSegments.occur(in: value, splittingAtEscapes: true) {
                fault = fault ?? "a value in the path has a segment '.' or '..', which leads to another path"
            }
            append(value, pattern: "{}")
        }

        /// Adds a path with its values.
        public mutating func appendInterpolation(_ path: Path) {
            fault = fault ?? path.fault
            append(path.text, pattern: path.pattern ?? "{}")
        }

        /// Rejects a value that has no single text.
        public mutating func appendInterpolation(_ value: some UnfitPathValue) {
            fault = fault ?? "a value in the path has no single text"
        }

        private mutating func append(_ added: String, pattern: String) {
            text += added
            self.pattern += pattern
            isQuery = isQuery || added.utf8.contains(UInt8(ascii: "?"))
        }

        /// A value in a query can be empty, and dots have no meaning there.
        private mutating func check(_ value: String) {
            if isQuery || fault != nil { return }
            switch value {
            case "": fault = "a value in the path is empty"
            case ".", "..": fault = "a value in the path is '\(value)', which leads to another path"
            default: break
            }
        }

        private static func escaped(_ value: String) -> String {
            var bytes: [UInt8] = []
            bytes.append(percentEncoding: value.utf8, keeping: .unreserved)
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}

/// A type whose values cannot be interpolated into a path, with a message that says what to write.
@_documentation(visibility: internal)
public protocol UnfitPathValue {}

@available(*, unavailable, message: "An optional can have no text: unwrap it before it is part of a path.")
extension Optional: UnfitPathValue {}

/// Finds the segments of a path that lead to another one.
enum DotSegments {
    /// Whether a segment is `.` or `..`, also with `%2e` for a dot, and with parameters after a semicolon.
    ///
    /// Servers differ in what ends a segment. Slashes, backslashes and number signs do here.
    ///
    /// - Parameter splittingAtEscapes: whether escaped slashes and backslashes end a segment, too.
    static func occur(in path: String, splittingAtEscapes: Bool) -> Bool {
        var path = path
        return path.withUTF8 { bytes in
            let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
            guard bytes[..<end].contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%") }) else {
                return false
            }
            return occur(in: bytes[start(of: bytes)..<max(end, start(of: bytes))], splittingAtEscapes)
        }
    }

    private static func occur(in bytes: Slice<UnsafeBufferPointer<UInt8>>, _ splitsAtEscapes: Bool) -> Bool {
        var (dots, isOther, isParameter) = (0, false, false)
        var rest = bytes
        while let byte = rest.popFirst() {
            var (meaning, isEscape) = (byte, false)
            if byte == UInt8(ascii: "%"), let value = value(of: rest.prefix(2)) {
                (meaning, isEscape) = (value, true)
                rest = rest.dropFirst(2)
            }
            switch meaning {
            case UInt8(ascii: "/"), UInt8(ascii: "\\"), UInt8(ascii: "#"):
                if isEscape, meaning == UInt8(ascii: "#") || !splitsAtEscapes {
                    isOther = isOther || !isParameter; break
                }
                if !isOther, dots == 1 || dots == 2 { return true }
                (dots, isOther, isParameter) = (0, false, false)
            case UInt8(ascii: ";") where !isEscape: isParameter = true
            case UInt8(ascii: ".") where !isParameter: dots += 1
            default: isOther = isOther || !isParameter
            }
        }
        return !isOther && (dots == 1 || dots == 2)
    }

    /// The index after the host of an absolute address.
    private static func start(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard bytes.starts(with: "http".utf8, by: { $0 | 0x20 == $1 }) else { return 0 }
        let rest = bytes.dropFirst(bytes.count > 4 && bytes[4] | 0x20 == UInt8(ascii: "s") ? 5 : 4)
        guard rest.starts(with: "://".utf8) else { return 0 }
        let host = rest.dropFirst(3)
        return host.firstIndex(of: UInt8(ascii: "/")) ?? bytes.endIndex
    }

    private static func value(of digits: Slice<UnsafeBufferPointer<UInt8>>) -> UInt8? {
        guard digits.count == 2 else { return nil }
        return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
