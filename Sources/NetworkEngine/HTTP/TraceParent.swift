/// The identity of a span in a distributed trace, from the `traceparent` header of the W3C Trace Context.
///
/// ```swift
/// let parent = TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
/// ```
/// A header with a later version is parsed as this version, and described as version `00`.
public struct TraceParent: Hashable, Sendable, LosslessStringConvertible {
    /// The trace identifier: 32 lowercase hexadecimal digits that are not all zero.
    public let traceID: String
    /// The span identifier: 16 lowercase hexadecimal digits that are not all zero.
    public let parentID: String
    /// Whether the trace's spans are recorded.
    public var isSampled: Bool
    /// Whether the trace identifier is random, according to its sender. All systems of a trace pass this on.
    public private(set) var isRandom = false
    /// The `tracestate` that belongs to the span.
    public var state: TraceState?

    /// Parses a `traceparent` header; returns `nil` for an invalid one.
    public init?(_ description: String) { self.init(description, state: nil) }

    /// Parses a `traceparent` header and its `tracestate`. An invalid `tracestate` is dropped.
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
    /// The identity in a request's headers; `nil` if they contain no valid one.
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

    /// A random number that is not zero. A source that returns only zeros yields a one.
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

/// The data that the systems of a trace pass on to each other, in the `tracestate` header of the W3C Trace Context.
///
/// It has at most 32 members. If a list has more than 512 characters, members with more than 128 characters are dropped
/// first, then members at the end.
public struct TraceState: Hashable, Sendable, LosslessStringConvertible {
    /// A member of the list.
    public struct Member: Hashable, Sendable {
        /// The name of a tracing system, or of its tenant as `tenant@system`.
        public let key: String
        /// The value, which only the key's system can interpret.
        public let value: String

        fileprivate var length: Int { key.utf8.count + 1 + value.utf8.count }
    }

    /// The members, most recent first.
    public let members: [Member]

    /// Parses a `tracestate` header; returns `nil` if it is invalid or empty.
    ///
    /// If several members have the same key, the first one is kept.
    public init?(_ description: String) {
        guard description.utf8.count <= Self.inputLimit else { return nil }
        var members: [Member] = []
        for part in Array(description.utf8).split(separator: UInt8(ascii: ",")) {
            let text = part.trimmingBlanks
            if text.isEmpty { continue }
            guard members.count < Self.memberLimit, let member = Member(text) else { return nil }
            if !members.contains(where: { $0.key == member.key }) { members.append(member) }
        }
        guard !members.isEmpty else { return nil }
        self.members = Self.shortened(members)
    }

    /// The value of a `tracestate` header.
    public var description: String { members.map { "\($0.key)=\($0.value)" }.joined(separator: ",") }

    private static let memberLimit = 32
    private static let lengthLimit = 512
    /// The length of 32 members of maximum length, with room for blanks.
    private static let inputLimit = 1 << 15

    private static func shortened(_ members: [Member]) -> [Member] {
        var members = members
        while members.reduce(-1, { $0 + $1.length + 1 }) > lengthLimit {
            members.remove(at: members.lastIndex { $0.length > 128 } ?? members.endIndex - 1)
        }
        return members
    }
}

extension TraceState.Member {
    fileprivate init?(_ text: ArraySlice<UInt8>) {
        guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let (key, value) = (text[..<equals], text[(equals + 1)...])
        guard Self.isKey(key), (1...256).contains(value.count), value.allSatisfy(Self.isOfValue) else { return nil }
        self.key = String(decoding: key, as: UTF8.self)
        self.value = String(decoding: value, as: UTF8.self)
    }

    /// Whether this is a key as defined by level 2 of the Trace Context, which includes the keys of level 1.
    private static func isKey(_ key: ArraySlice<UInt8>) -> Bool {
        (1...256).contains(key.count) && key.first.map { isLetter($0) || isDigit($0) } == true
            && key.allSatisfy(isOfKey)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    private static func isOfKey(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || "_-*/@".utf8.contains(byte)
    }
    private static func isOfValue(_ byte: UInt8) -> Bool {
        (0x20...0x7E).contains(byte) && byte != UInt8(ascii: ",") && byte != UInt8(ascii: "=")
    }
}
