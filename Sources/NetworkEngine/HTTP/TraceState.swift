/// What the systems of a trace pass on to each other, as the `tracestate` header of the W3C Trace Context.
///
/// It has at most 32 members. Of a list with more than 512 characters, members with more than 128 characters are left
/// out first, then members at the end.
public struct TraceState: Hashable, Sendable, LosslessStringConvertible {
    /// A member of the list.
    public struct Member: Hashable, Sendable {
        /// The name of a tracing system, or of its tenant as `tenant@system`.
        public let key: String
        /// The value, which only the system of the key understands.
        public let value: String

        fileprivate var length: Int { key.utf8.count + 1 + value.utf8.count }
    }

    /// The members, most recent first.
    public let members: [Member]

    /// Reads a `tracestate` header; returns `nil` for one that is invalid or empty.
    ///
    /// Of members with the same key, the first one is kept.
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
    /// The length of 32 members of the greatest length, with room for blanks.
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

    /// Whether this is a key by level 2 of the Trace Context, which includes the keys of level 1.
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

extension ArraySlice<UInt8> {
    fileprivate var trimmingBlanks: ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let start = drop(while: isBlank)
        return start[..<(start.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start.startIndex)]
    }
}
