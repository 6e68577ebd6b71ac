public import Foundation

extension EndpointPath: ExpressibleByStringInterpolation {
    public init(stringLiteral text: String) { self.init(text, pattern: text, fault: nil) }

    public init(stringInterpolation parts: StringInterpolation) {
        self.init(parts.text, pattern: parts.pattern, fault: parts.fault)
    }

    /// Collects the parts of a literal with values.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate var text = ""
        fileprivate var pattern = ""
        var fault: String?
        private var isQuery = false

        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        public mutating func appendLiteral(_ literal: String) { append(literal, pattern: literal) }

        /// Adds a value as one segment, or as part of one.
        public mutating func appendInterpolation(_ value: some LosslessStringConvertible) {
            append(value: value.description)
        }

        /// Adds an identifier as one segment, or as part of one.
        public mutating func appendInterpolation(_ value: UUID) { append(value: value.uuidString) }

        /// Adds a raw value as one segment, or as part of one.
        public mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value)
        where Value.RawValue: LosslessStringConvertible {
            append(value: value.rawValue.description)
        }

        /// Adds the raw value of a value that also has a text.
        public mutating func appendInterpolation<Value: RawRepresentable & LosslessStringConvertible>(_ value: Value)
        where Value.RawValue: LosslessStringConvertible {
            append(value: value.rawValue.description)
        }

        /// Adds an identifier that is a raw value.
        public mutating func appendInterpolation<Value: RawRepresentable<UUID>>(_ value: Value) {
            append(value: value.rawValue.uuidString)
        }

        /// Adds an identifier that is the raw value of a value that also has a text.
        public mutating func appendInterpolation<Value: RawRepresentable<UUID> & LosslessStringConvertible>(
            _ value: Value
        ) {
            append(value: value.rawValue.uuidString)
        }

        /// Adds a value as one segment, or a default text if the value is `nil`.
        public mutating func appendInterpolation(
            _ value: (some LosslessStringConvertible)?, default text: @autoclosure () -> some StringProtocol
        ) {
            append(value: value?.description ?? String(text()))
        }

        /// Adds an identifier as one segment, or a default text if the identifier is `nil`.
        public mutating func appendInterpolation(
            _ value: UUID?, default text: @autoclosure () -> some StringProtocol
        ) {
            append(value: value?.uuidString ?? String(text()))
        }

        private mutating func append(value: String) {
            check(value)
            append(Self.escaped(value), pattern: "{}")
        }

        /// Adds a value with several segments, separated by slashes. No segment can be empty.
        public mutating func appendInterpolation(path value: some StringProtocol) {
            let segments = value.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            segments.forEach { check($0) }
            append(segments.map(Self.escaped).joined(separator: "/"), pattern: "{}")
        }

        /// Adds text that is already escaped, unchanged.
        public mutating func appendInterpolation(raw value: some StringProtocol) {
            let value = String(value)
            if !isQuery, DotSegments.occur(in: value, splittingAtEscapes: true) {
                fault = fault ?? "a value in the path has a segment '.' or '..', which leads to another path"
            }
            append(value, pattern: "{}")
        }

        /// Adds a path with its values.
        public mutating func appendInterpolation(_ path: EndpointPath) {
            fault = fault ?? path.fault
            append(path.text, pattern: path.pattern ?? "{}")
        }

        private mutating func append(_ added: String, pattern: String) {
            text += added
            self.pattern += pattern
            isQuery = isQuery || added.utf8.contains(UInt8(ascii: "?"))
        }

        /// In a query, a value can be empty, and dots have no special meaning.
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
