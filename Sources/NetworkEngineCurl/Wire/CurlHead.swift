/// The heads of an exchange as they come line by line, and what must be known of the last while its body comes.
///
/// The lines are kept as they are: whoever waits for the response makes strings of them, off the loop.
package struct CurlHead {
    package enum Step: Hashable {
        /// A line of a head, or one behind the body that nobody wants.
        case line
        /// The head of the response is complete.
        case complete
        case broken(CurlBreak)
    }

    /// The bytes of the response's fields, with their line ends.
    package private(set) var fields: [UInt8] = []
    package private(set) var statusCode = 0
    package private(set) var isComplete = false
    /// The values of `Content-Encoding`.
    package private(set) var codings: [String] = []
    private var length: Int64?
    private var isChunked = false
    private var isInside = false

    /// Heads as large as this are no responses.
    private static let limit = 1 << 20

    package init() { fields.reserveCapacity(1 << 10) }

    /// Forgets everything but its memory.
    package mutating func reset() {
        fields.removeAll(keepingCapacity: true)
        statusCode = 0
        isComplete = false
        codings = []
        length = nil
        isChunked = false
        isInside = false
    }

    /// The bytes that must come, where the head says so.
    package var bodyLength: Int64? { isChunked ? nil : length }

    /// Whether the head says in two ways how long the body is: another reader might see the next response elsewhere
    /// (RFC 9112, 6.3).
    package var isAmbiguous: Bool { isChunked && length != nil }

    /// Takes one line with its end.
    package mutating func receive(_ line: UnsafeRawBufferPointer) -> Step {
        // What comes behind a body are trailers.
        if isComplete { return .line }
        guard isInside else { return begin(line) }
        if line.first == 0x0D || line.first == 0x0A { return end() }
        guard fields.count + line.count <= Self.limit else { return .broken(.headTooLarge(limit: Self.limit)) }
        fields.append(contentsOf: line)
        return note(line)
    }

    private mutating func begin(_ line: UnsafeRawBufferPointer) -> Step {
        reset()
        guard let space = line.firstIndex(of: 0x20) else {
            return .broken(.violation("a status line without a status"))
        }
        let digits = line[(space + 1)...].drop { $0 == 0x20 }.prefix { (0x30...0x39).contains($0) }
        guard digits.count == 3 else { return .broken(.violation("a status that is not three digits")) }
        statusCode = digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
        guard statusCode >= 100 else { return .broken(.violation("a status below 100")) }
        isInside = true
        return .line
    }

    private mutating func end() -> Step {
        isInside = false
        if statusCode == 101 { return .broken(.violation("status 101 although no upgrade was asked for")) }
        // Interim responses are not for us; another head follows.
        guard statusCode >= 200 else { return .line }
        isComplete = true
        return .complete
    }

    /// Looks for the three fields that decide about the body.
    private mutating func note(_ line: UnsafeRawBufferPointer) -> Step {
        switch line.first.map({ $0 | 0x20 }) {
        case 0x63:
            if let value = line.value(of: "content-length") { return noteLength(value) }
            if let value = line.value(of: "content-encoding") {
                codings += String(decoding: value, as: UTF8.self).split(separator: ",").map { part in
                    String(part.drop { $0 == " " }.prefix { $0 != " " })
                }
            }
        case 0x74:
            if line.value(of: "transfer-encoding") != nil { isChunked = true }
        default: break
        }
        return .line
    }

    private mutating func noteLength(_ value: UnsafeRawBufferPointer.SubSequence) -> Step {
        for part in value.split(separator: 0x2C) {
            let text = String(decoding: part, as: UTF8.self).filter { $0 != " " && $0 != "\t" }
            guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text) else {
                return .broken(.violation("Content-Length is not a length"))
            }
            guard length == nil || length == number else {
                return .broken(.violation("the response has several different Content-Length headers"))
            }
            length = number
        }
        return .line
    }
}

extension UnsafeRawBufferPointer {
    /// The value of a field line without blanks around it, if the field has the given name, in lower case.
    package func value(of name: StaticString) -> SubSequence? {
        let length = name.utf8CodeUnitCount
        guard count > length, self[length] == 0x3A else { return nil }
        let isSame = name.withUTF8Buffer { name in (0..<length).allSatisfy { self[$0] | 0x20 == name[$0] } }
        return isSame ? self[(length + 1)...].trimmed : nil
    }
}

extension UnsafeRawBufferPointer.SubSequence {
    /// Without blanks and line ends around it.
    package var trimmed: Self {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }
        var rest = drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest = rest.dropLast() }
        return rest
    }
}
