public import Foundation
public import NetworkEngine

/// An exchange with a server as OpenTelemetry describes it: an HTTP client span.
public struct TraceSpan: Hashable, Sendable {
    /// The program's role in an exchange.
    public enum Kind: String, Hashable, Sendable {
        /// The program sends the request.
        case client
    }

    /// Whether the exchange failed.
    public enum Status: String, Hashable, Sendable {
        /// The exchange succeeded or was canceled.
        case unset
        /// The exchange failed, or its response status is 400 or higher.
        case error
    }

    /// An attribute value.
    public enum Attribute: Hashable, Sendable {
        /// A text.
        case string(String)
        /// An integer.
        case int(Int)
        /// A floating-point number.
        case double(Double)
        /// A list of texts.
        case strings([String])
    }

    /// A moment within a span.
    public struct Event: Hashable, Sendable {
        /// The moment's name, such as `queued`.
        public var name: String
        /// The time of day.
        public var time: Date
        /// The attributes by name.
        public var attributes: [String: Attribute]

        /// Creates an event.
        public init(name: String, time: Date, attributes: [String: Attribute] = [:]) {
            self.name = name
            self.time = time
            self.attributes = attributes
        }
    }

    /// The method, and the target's path template if there is one.
    public var name: String
    /// The program's role: always the client.
    public var kind = Kind.client
    /// 32 hexadecimal digits, equal for all exchanges of a call.
    public var traceID: String
    /// 16 hexadecimal digits.
    public var spanID: String
    /// The parent span of the call; `nil` if the call began the trace.
    public var parentID: String?
    /// The exchange's `tracestate`; `nil` if the trace has none.
    public var state: TraceState?
    /// The time of day at which the exchange started.
    public var start: Date
    /// The time of day at which the exchange ended.
    public var end: Date
    /// Whether the exchange failed.
    public var status = Status.unset
    /// The reason for an error other than a status.
    public var statusMessage: String?
    /// The attributes by their names in the OpenTelemetry conventions.
    public var attributes: [String: Attribute] = [:]
    /// The moments of the exchange, in order: `queued`, `admitted`, and those in the server's `Server-Timing`.
    public var events: [Event] = []

    /// Creates a span without attributes and events, for example to test an exporter.
    public init(name: String, traceID: String, spanID: String, parentID: String? = nil, start: Date, end: Date) {
        self.name = name
        self.traceID = traceID
        self.spanID = spanID
        self.parentID = parentID
        self.start = start
        self.end = end
    }
}

extension TraceSpan.Attribute: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, CustomStringConvertible {
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
