import Foundation
import NetworkEngine

/// Spans in OpenTelemetry's JSON protocol format: identifiers as hexadecimal digits, 64-bit integers as text,
/// enumerations as numbers.
struct OTLPDocument: Encodable {
    private let resourceSpans: [ResourceSpans]

    init(_ spans: [TraceSpan], resource: [String: TraceSpan.Attribute]) {
        let scope = ScopeSpans(scope: Scope(name: "NetworkEngine"), spans: spans.map(EncodedSpan.init))
        resourceSpans = [
            ResourceSpans(resource: Resource(attributes: EncodedAttribute.sorted(resource)), scopeSpans: [scope])
        ]
    }

    /// The document on one line.
    func line() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    private struct ResourceSpans: Encodable {
        let resource: Resource
        let scopeSpans: [ScopeSpans]
    }

    private struct Resource: Encodable { let attributes: [EncodedAttribute] }

    private struct ScopeSpans: Encodable {
        let scope: Scope
        let spans: [EncodedSpan]
    }

    private struct Scope: Encodable { let name: String }
}

private struct EncodedSpan: Encodable {
    private let traceId: String
    private let spanId: String
    private let parentSpanId: String?
    private let traceState: String?
    /// The trace is sampled.
    private let flags = 1
    private let name: String
    private let kind: Int
    private let startTimeUnixNano: String
    private let endTimeUnixNano: String
    private let attributes: [EncodedAttribute]
    private let events: [EncodedEvent]
    private let status: EncodedStatus

    init(_ span: TraceSpan) {
        traceId = span.traceID
        spanId = span.spanID
        parentSpanId = span.parentID
        traceState = span.state?.description
        name = span.name
        kind =
            switch span.kind {
            case .client: 3
            }
        startTimeUnixNano = span.start.nanoseconds
        endTimeUnixNano = span.end.nanoseconds
        attributes = EncodedAttribute.sorted(span.attributes)
        events = span.events.map(EncodedEvent.init)
        status = EncodedStatus(code: span.status == .error ? 2 : 0, message: span.statusMessage)
    }
}

private struct EncodedEvent: Encodable {
    private let name: String
    private let timeUnixNano: String
    private let attributes: [EncodedAttribute]

    init(_ event: TraceSpan.Event) {
        name = event.name
        timeUnixNano = event.time.nanoseconds
        attributes = EncodedAttribute.sorted(event.attributes)
    }
}

private struct EncodedStatus: Encodable {
    let code: Int
    let message: String?
}

private struct EncodedAttribute: Encodable {
    let key: String
    let value: EncodedValue

    static func sorted(_ attributes: [String: TraceSpan.Attribute]) -> [EncodedAttribute] {
        attributes.sorted { $0.key < $1.key }.map { EncodedAttribute(key: $0.key, value: EncodedValue($0.value)) }
    }
}

/// A value with exactly one member that is not `nil`.
private struct EncodedValue: Encodable {
    struct List: Encodable { let values: [EncodedValue] }

    private var stringValue: String?
    private var intValue: String?
    private var doubleValue: Double?
    private var arrayValue: List?

    init(_ value: TraceSpan.Attribute) {
        switch value {
        case .string(let text): stringValue = text
        case .int(let number): intValue = String(number)
        // JSON has no infinity.
        case .double(let number): if number.isFinite { doubleValue = number } else { stringValue = String(number) }
        case .strings(let texts): arrayValue = List(values: texts.map { EncodedValue(.string($0)) })
        }
    }
}

extension Date {
    /// The nanoseconds since 1970 as text; 0 for an earlier time.
    fileprivate var nanoseconds: String {
        let nanoseconds = timeIntervalSince1970 * 1_000_000_000
        return nanoseconds > 0 && nanoseconds < 0x1p63 ? String(UInt64(nanoseconds)) : "0"
    }
}
