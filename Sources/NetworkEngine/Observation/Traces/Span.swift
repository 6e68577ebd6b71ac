public import Foundation

/// An exchange with a server as OpenTelemetry describes it: a span of an HTTP client.
///
/// A program that also uses the `Span` of the standard library writes `Swift.Span` for it.
public struct Span: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable { case client }

    public enum Status: String, Hashable, Sendable {
        case unset
        case error
    }

    /// The value of an attribute.
    public enum Attribute: Hashable, Sendable {
        case string(String)
        case int(Int)
        case double(Double)
        case strings([String])
    }

    /// A moment within a span.
    public struct Event: Hashable, Sendable {
        public var name: String
        public var time: Date
        public var attributes: [String: Attribute]

        public init(name: String, time: Date, attributes: [String: Attribute] = [:]) {
            self.name = name
            self.time = time
            self.attributes = attributes
        }
    }

    /// The method, and the template of the target's path if there is one.
    public var name: String
    public var kind = Kind.client
    /// 32 hexadecimal digits, equal for all exchanges of a call.
    public var traceID: String
    /// 16 hexadecimal digits.
    public var spanID: String
    /// The span that the call was made in; `nil` if the call began the trace.
    public var parentID: String?
    public var state: TraceState?
    public var start: Date
    public var end: Date
    public var status = Status.unset
    /// The reason of an error that is not a status.
    public var statusMessage: String?
    /// The attributes by their names in the OpenTelemetry conventions.
    public var attributes: [String: Attribute] = [:]
    public var events: [Event] = []

    public init(name: String, traceID: String, spanID: String, parentID: String? = nil, start: Date, end: Date) {
        self.name = name
        self.traceID = traceID
        self.spanID = spanID
        self.parentID = parentID
        self.start = start
        self.end = end
    }
}

extension Span.Attribute: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, CustomStringConvertible {
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int) { self = .int(value) }

    public var description: String {
        switch self {
        case .string(let value): value
        case .int(let value): String(value)
        case .double(let value): String(value)
        case .strings(let values): values.joined(separator: ", ")
        }
    }
}
