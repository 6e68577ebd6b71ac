import NetworkEngine

/// Parses an exchange's heads line by line, and keeps the information required for its body.
///
/// The lines are kept as bytes. The task that awaits the response converts them to strings, off the loop.
struct CurlHead {
    enum Step: Hashable {
        /// A line in a head, or in the trailers.
        case line
        /// The response head is complete.
        case complete
        /// Another head after a complete one: libcurl has sent the request again.
        case repeated
        case broken(AbortReason)
    }

    /// The bytes of the response fields, with their line ends.
    private(set) var fields: [UInt8] = []
    /// The bytes of the trailer fields.
    private(set) var trailers: [UInt8] = []
    private(set) var statusCode = 0
    /// Whether the status line is HTTP/1.0 or HTTP/1.1.
    private(set) var isVersion1 = false
    private(set) var isComplete = false
    /// The values of `Content-Encoding`.
    private(set) var codings: [String] = []
    private var length: Int64?
    private var hasLocation = false
    private(set) var isChunked = false
    /// Whether the head declares that the connection closes after the response.
    private(set) var endsConnection = false
    private var isInside = false

    /// A larger head is not a response.
    private static let limit = 1 << 20
    private static let trailerLimit = 1 << 16

    init() { fields.reserveCapacity(1 << 10) }

    /// Clears everything except the allocated memory.
    mutating func reset() {
        fields.removeAll(keepingCapacity: true)
        trailers = []
        statusCode = 0
        isVersion1 = false
        isComplete = false
        codings = []
        length = nil
        hasLocation = false
        isChunked = false
        endsConnection = false
        isInside = false
    }

    /// The names of a decoded body's codings, in lowercase.
    var decodedCodings: [String] {
        codings.map { $0.lowercased() }.filter { !["", "identity", "none"].contains($0) }
    }

    /// A copy of the fields in separate memory. Assigning the array would share this memory, which the next head
    /// overwrites.
    var copyOfFields: [UInt8] { fields.withUnsafeBufferPointer { Array($0) } }

    /// The number of bytes that must arrive, if declared in the head.
    var bodyLength: Int64? { isChunked ? nil : length }

    /// Whether the response redirects to another URL.
    var isRedirect: Bool { hasLocation && HTTPResponse.isRedirect(statusCode) }

    /// Whether the head declares the body length in two ways. Another parser might find the next response at a
    /// different position (RFC 9112, 6.3).
    var isAmbiguous: Bool { isChunked && length != nil }

    /// Parses one line including its line end.
    mutating func receive(_ line: UnsafeRawBufferPointer) -> Step {
        // Lines after a body are trailers.
        if isComplete { return line.isStatusLine ? .repeated : add(trailer: line) }
        guard isInside else { return begin(line) }
        if line.first == 0x0D || line.first == 0x0A { return end() }
        guard fields.count + line.count <= Self.limit else { return .broken(.headTooLarge(limit: Self.limit)) }
        fields.append(contentsOf: line)
        return note(line)
    }

    private mutating func add(trailer line: UnsafeRawBufferPointer) -> Step {
        guard trailers.count + line.count <= Self.trailerLimit else {
            return .broken(.headTooLarge(limit: Self.trailerLimit))
        }
        if line.first != 0x0D, line.first != 0x0A { trailers.append(contentsOf: line) }
        return .line
    }

    private mutating func begin(_ line: UnsafeRawBufferPointer) -> Step {
        reset()
        guard line.isStatusLine else { return .broken(.violation("a status line that does not begin with HTTP/")) }
        guard var index = line.firstIndex(of: 0x20) else {
            return .broken(.violation("a status line without a status"))
        }
        while index < line.count, line[index] == 0x20 { index += 1 }
        let start = index
        while index < line.count, let digit = line[index].decimalDigit, statusCode < 1_000 {
            statusCode = statusCode * 10 + digit
            index += 1
        }
        guard index == start + 3 else { return .broken(.violation("a status that is not three digits")) }
        guard statusCode >= 100 else { return .broken(.violation("a status below 100")) }
        isVersion1 = line[5] == 0x31
        isInside = true
        return .line
    }

    private mutating func end() -> Step {
        isInside = false
        if statusCode == 101 { return .broken(.violation("status 101 although no upgrade was asked for")) }
        // Interim responses are ignored; another head follows.
        guard statusCode >= 200 else { return .line }
        isComplete = true
        return .complete
    }

    /// Records the fields that affect the body.
    private mutating func note(_ line: UnsafeRawBufferPointer) -> Step {
        switch line.first.map({ $0 | 0x20 }) {
        case 0x63:
            if let value = line.value(of: "content-length") { return noteLength(value) }
            if let value = line.value(of: "connection") {
                endsConnection = endsConnection || value.hasElement("close")
            }
            if let value = line.value(of: "content-encoding") {
                codings += value.split(separator: 0x2C).map { String(decoding: $0.trimmed, as: UTF8.self) }
            }
        case 0x6C:
            if line.value(of: "location")?.isEmpty == false { hasLocation = true }
        case 0x74:
            if let value = line.value(of: "transfer-encoding") {
                // libcurl decodes other transfer codings, and does not notice a truncated body.
                let isPlain = value.split(separator: 0x2C).allSatisfy { coding in
                    coding.trimmed.isEmpty || coding.hasElement("chunked") || coding.hasElement("identity")
                }
                guard isPlain else { return .broken(.violation("a Transfer-Encoding other than chunked")) }
                if value.hasElement("chunked") { isChunked = true }
            }
        default: break
        }
        return .line
    }

    private mutating func noteLength(_ value: UnsafeRawBufferPointer.SubSequence) -> Step {
        // Values that several proxies have joined in one field count as several fields.
        var rest = value
        while true {
            let end = rest.firstIndex(of: 0x2C) ?? rest.endIndex
            guard let number = rest[..<end].trimmed.decimalNumber else {
                return .broken(.violation("Content-Length is not a length"))
            }
            guard length == nil || length == number else {
                return .broken(.violation("the response has several different Content-Length headers"))
            }
            length = number
            guard end < rest.endIndex else { return .line }
            rest = rest[(end + 1)...]
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the line begins like a status line. A field can't, because its name would contain a slash.
    fileprivate var isStatusLine: Bool { count > 5 && zip(self, "HTTP/".utf8).allSatisfy { $0 == $1 } }
}

extension UInt8 {
    fileprivate var decimalDigit: Int? { (0x30...0x39).contains(self) ? Int(self) - 0x30 : nil }
}

extension UnsafeRawBufferPointer.SubSequence {
    /// The decimal number; `nil` for any other text, and for a number that is too large.
    fileprivate var decimalNumber: Int64? {
        guard !isEmpty else { return nil }
        var number: Int64 = 0
        for byte in self {
            guard let digit = byte.decimalDigit else { return nil }
            let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, isStillTooLarge) = tens.addingReportingOverflow(Int64(digit))
            if isTooLarge || isStillTooLarge { return nil }
            number = sum
        }
        return number
    }
}

extension UnsafeRawBufferPointer.SubSequence {
    /// Whether a list of words contains the given lowercase one.
    fileprivate func hasElement(_ word: StaticString) -> Bool {
        let letters = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        var rest = self
        while true {
            let end = rest.firstIndex(of: 0x2C) ?? rest.endIndex
            if rest[..<end].trimmed.elementsEqual(letters, by: { $0 | 0x20 == $1 }) { return true }
            guard end < rest.endIndex else { return false }
            rest = rest[(end + 1)...]
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The value of a field line without surrounding white space, if the field has the given lowercase name.
    func value(of name: StaticString) -> SubSequence? {
        let length = name.utf8CodeUnitCount
        guard count > length, self[length] == 0x3A else { return nil }
        let letters = name.utf8Start
        for index in 0..<length where self[index] | 0x20 != letters[index] { return nil }
        return self[(length + 1)...].trimmed
    }
}

extension UnsafeRawBufferPointer.SubSequence {
    /// The bytes without surrounding white space and line ends.
    var trimmed: Self {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }
        var start = startIndex
        var end = endIndex
        while start < end, isBlank(self[start]) { start += 1 }
        while start < end, isBlank(self[end - 1]) { end -= 1 }
        return self[start..<end]
    }
}
