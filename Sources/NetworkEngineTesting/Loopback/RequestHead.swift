import NetworkEngine

/// The parsed request line and header fields of a request.
struct RequestHead: Sendable {
    /// How the end of the body is determined.
    enum Framing: Sendable, Equatable {
        case none
        case length(Int)
        case chunked
    }

    /// The reason for rejecting a head, and the status of the response.
    struct Failure: Error, Sendable, Equatable {
        let status: Int
        let reason: String
    }

    /// The received bytes including the empty line at the end.
    let bytes: [UInt8]
    private(set) var method = ""
    private(set) var target = ""
    private(set) var minorVersion = 1
    private(set) var headers = HTTPHeaders()
    private(set) var framing = Framing.none
    /// Whether the client waits for `100 Continue` before it sends the body.
    private(set) var expectsContinue = false
    /// Whether the client wants to reuse the connection.
    private(set) var keepsAlive = true

    init(parsing bytes: [UInt8], fieldLimit: Int) throws(Failure) {
        self.bytes = bytes
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).lazy.map { line in
            line.last == 0x0D ? line.dropLast() : line
        }.makeIterator()
        try parseRequestLine(lines.next() ?? [])
        var fields: [HTTPHeaders.Field] = []
        while let line = lines.next(), !line.isEmpty {
            guard fields.count < fieldLimit else {
                throw Failure(status: 431, reason: "more than \(fieldLimit) fields")
            }
            fields.append(try Self.field(line))
        }
        headers = HTTPHeaders(fields)
        try interpret(fields)
    }

    private mutating func parseRequestLine(_ line: ArraySlice<UInt8>) throws(Failure) {
        let parts = line.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .malformed("the request line has no three parts") }
        guard !parts[0].isEmpty, parts[0].allSatisfy(Self.isTokenByte) else {
            throw .malformed("the method is no token")
        }
        guard !parts[1].isEmpty, parts[1].allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw .malformed("the target is empty or has control characters")
        }
        let version = Array(parts[2])
        guard version.count == 8, version.starts(with: Array("HTTP/".utf8)), version[6] == 0x2E else {
            throw .malformed("the request line has no version")
        }
        guard version[5] == 0x31, version[7] == 0x30 || version[7] == 0x31 else {
            throw Failure(status: 505, reason: "only HTTP/1.0 and HTTP/1.1 are spoken here")
        }
        method = String(decoding: parts[0], as: UTF8.self)
        target = String(decoding: parts[1], as: UTF8.self)
        minorVersion = Int(version[7] - 0x30)
    }

    private mutating func interpret(_ fields: [HTTPHeaders.Field]) throws(Failure) {
        var length: Int?
        var codings: [String] = []
        var hosts = 0
        keepsAlive = minorVersion == 1
        for field in fields {
            if field.name.equalsIgnoringASCIICase("Content-Length") {
                length = try Self.length(field.value, besides: length)
            } else if field.name.equalsIgnoringASCIICase("Transfer-Encoding") {
                codings += Self.list(field.value)
            } else if field.name.equalsIgnoringASCIICase("Connection") {
                let options = Self.list(field.value)
                if options.contains("keep-alive") { keepsAlive = true }
                if options.contains("close") { keepsAlive = false }
            } else if field.name.equalsIgnoringASCIICase("Expect") {
                guard field.value.lowercased() == "100-continue" else {
                    throw Failure(status: 417, reason: "unknown expectation")
                }
                expectsContinue = minorVersion == 1
            } else if field.name.equalsIgnoringASCIICase("Host") {
                hosts += 1
            }
        }
        guard hosts == 1 || (hosts == 0 && minorVersion == 0) else { throw .malformed("\(hosts) Host fields") }
        guard let coding = codings.last else { return framing = length.map { $0 == 0 ? .none : .length($0) } ?? .none }
        guard coding == "chunked", codings.count == 1 else {
            throw Failure(status: 501, reason: "transfer coding \(codings.joined(separator: ", "))")
        }
        // RFC 9112, 6.1: a length in the same message is ignored, and the connection is not reused.
        if length != nil { keepsAlive = false }
        framing = .chunked
    }

    private static func length(_ value: String, besides other: Int?) throws(Failure) -> Int {
        var agreed = other
        for part in value.split(separator: ",", omittingEmptySubsequences: false) {
            let digits = part.drop { $0 == " " }
            guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(digits),
                agreed ?? length == length
            else { throw .malformed("Content-Length is \(value)") }
            agreed = length
        }
        guard let agreed else { throw .malformed("Content-Length is empty") }
        return agreed
    }

    private static func list(_ value: String) -> [String] {
        value.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }.map(String.init)
    }
}

extension RequestHead {
    /// Parses a header or trailer line.
    static func field(_ line: ArraySlice<UInt8>) throws(Failure) -> HTTPHeaders.Field {
        guard let colon = line.firstIndex(of: 0x3A), colon > line.startIndex else {
            throw .malformed("a header line has no name")
        }
        guard line[..<colon].allSatisfy(isTokenByte) else { throw .malformed("a header name is no token") }
        let value = line[(colon + 1)...].trimmingBlanks
        guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
            throw .malformed("a header value has control characters")
        }
        return HTTPHeaders.Field(
            name: String(decoding: line[..<colon], as: UTF8.self),
            value: String(decoding: value, as: UTF8.self)
        )
    }

    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
        default: false
        }
    }
}

extension RequestHead.Failure {
    static func malformed(_ reason: String) -> Self { Self(status: 400, reason: reason) }
}
