/// The identity of a span in a distributed trace, as the `traceparent` header of the W3C Trace Context.
///
/// ```swift
/// let parent = TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
/// ```
/// A header of a later version is read as far as this version is known, and described as version `00`.
public struct TraceParent: Hashable, Sendable, LosslessStringConvertible {
    /// The identifier of the trace: 32 lowercase hexadecimal digits that are not all zero.
    public let traceID: String
    /// The identifier of the span: 16 lowercase hexadecimal digits that are not all zero.
    public let parentID: String
    /// Whether the spans of the trace are recorded.
    public var isSampled: Bool
    /// Whether the identifier of the trace is random, as its sender says. All systems of a trace pass this on.
    public private(set) var isRandom = false
    /// The `tracestate` that belongs to the span.
    public var state: TraceState?

    /// Reads a `traceparent` header; returns `nil` for an invalid one.
    public init?(_ description: String) { self.init(description, state: nil) }

    /// Reads a `traceparent` header and its `tracestate`. An invalid `tracestate` is dropped.
    public init?(_ traceparent: String, state: TraceState?) {
        // Bytes after the known fields belong to a later version.
        let bytes = Array(traceparent.utf8.prefix(Self.length + 1))
        guard bytes.count >= Self.length, [2, 35, 52].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }),
            [0..<2, 3..<35, 36..<52, 53..<55].allSatisfy({ bytes[$0].allSatisfy(\.isLowercaseHexDigit) })
        else { return nil }
        switch String(decoding: bytes[0..<2], as: UTF8.self) {
        case "ff": return nil
        case "00": guard bytes.count == Self.length else { return nil }
        default: guard bytes.count == Self.length || bytes[Self.length] == UInt8(ascii: "-") else { return nil }
        }
        let isZero = { (digits: ArraySlice<UInt8>) in digits.allSatisfy { $0 == UInt8(ascii: "0") } }
        guard !isZero(bytes[3..<35]), !isZero(bytes[36..<52]) else { return nil }
        let flags = bytes[54].isLowercaseHexDigit && bytes[54] >= UInt8(ascii: "a") ? bytes[54] - 87 : bytes[54] - 48
        self.init(
            trace: String(decoding: bytes[3..<35], as: UTF8.self),
            span: String(decoding: bytes[36..<52], as: UTF8.self), flags & 1 != 0, state)
        isRandom = flags & 2 != 0
    }

    /// Creates the identity of a span; returns `nil` unless both identifiers are valid.
    public init?(traceID: String, parentID: String, isSampled: Bool = true, state: TraceState? = nil) {
        self.init("00-\(traceID)-\(parentID)-\(isSampled ? "01" : "00")", state: state)
    }

    private init(trace: String, span: String, _ isSampled: Bool, _ state: TraceState?) {
        (traceID, parentID, self.isSampled, self.state) = (trace, span, isSampled, state)
    }

    /// The value of a `traceparent` header.
    public var description: String {
        "00-\(traceID)-\(parentID)-0\((isSampled ? 1 : 0) + (isRandom ? 2 : 0))"
    }

    private static let length = 55
}

extension TraceParent {
    /// The identity in the headers of a request; `nil` if they have no valid one.
    package init?(in headers: HTTPHeaders) {
        guard let text = headers["traceparent"] else { return nil }
        self.init(text, state: headers["tracestate"].flatMap(TraceState.init))
    }

    /// The first span of a new trace.
    package static func root(isSampled: Bool, random: () -> UInt64) -> TraceParent {
        TraceParent(
            trace: digits(nonzero(random)) + digits(random()), span: digits(nonzero(random)), isSampled, nil)
    }

    /// Another span of the same trace.
    package func sibling(random: () -> UInt64) -> TraceParent {
        var sibling = TraceParent(trace: traceID, span: Self.digits(Self.nonzero(random)), isSampled, state)
        sibling.isRandom = isRandom
        return sibling
    }

    /// A random number that is not zero. A source that returns only zeros gets a one.
    private static func nonzero(_ random: () -> UInt64) -> UInt64 { max(random(), 1) }

    private static func digits(_ number: UInt64) -> String {
        String(unsafeUninitializedCapacity: 16) { digits in
            for index in 0..<16 {
                let digit = UInt8(truncatingIfNeeded: number >> UInt64(60 - 4 * index)) & 0x0F
                digits[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
            }
            return 16
        }
    }
}

extension UInt8 {
    fileprivate var isLowercaseHexDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
    }
}
