import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5)))
struct RequestParserTests {
    /// A parser's events for bytes in chunks, as short words.
    static func words(_ bytes: [UInt8], cutAt size: Int = .max, parser: RequestParser = .init()) -> [String] {
        var parser = parser
        var words: [String] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(size)
            rest = rest.dropFirst(piece.count)
            piece.withUnsafeBytes { parser.feed($0) }
            while let event = parser.next() { words.append(event) }
        }
        return words
    }

    private static func words(_ text: String, cutAt size: Int = .max) -> [String] {
        words(Array(text.utf8), cutAt: size)
    }

    private static let get = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test func `requests follow each other, with and without bodies`() {
        let text = Self.get + "POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc\r\n" + Self.get
        #expect(Self.words(text) == ["GET /a", "end", "POST /b", "=abc", "end", "GET /a", "end"])
    }

    @Test(arguments: 1...9)
    func `the sizes of the chunks change nothing`(size: Int) {
        let text =
            "PUT /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "5;x=y\r\nhello\r\n00A\r\n, my world\r\n0\r\nX-Sum: 1\r\n\r\n" + Self.get
        #expect(Self.words(text, cutAt: size) == ["PUT /c", "=hello, my world", "end X-Sum: 1", "GET /a", "end"])
    }

    @Test func `a bare line feed ends a line, and blanks around values are dropped`() {
        var parser = RequestParser()
        Array("GET / HTTP/1.0\nA:\t b c \t\n\n".utf8).withUnsafeBytes { parser.feed($0) }
        guard case .head(let head)? = parser.next() else { return #expect(Bool(false), "no head") }
        #expect(head.headers == ["A": "b c"] && head.minorVersion == 0 && !head.keepsAlive)
    }

    @Test(arguments: [
        ("Connection: close", false), ("Connection: Keep-Alive, x", true), ("Content-Length: 0, 0", true),
        ("Content-Length: 1\r\nTransfer-Encoding: chunked", false),
    ])
    func `the head says whether the connection stays`(fields: String, stays: Bool) throws {
        let head = try RequestHead(parsing: Array("GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n".utf8), fieldLimit: 9)
        #expect(head.keepsAlive == stays)
    }

    @Test(arguments: [
        ("\u{16}\u{3}\u{1}", 400), ("GET\r\n\r\n", 400), ("GET  / HTTP/1.1\r\n\r\n", 400),
        ("G@T / HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET / HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400), ("GET / HTTP/1.1 \r\nHost: a\r\n\r\n", 400),
        ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505), ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\0\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
        ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked\r\n\r\n", 501),
        ("GET / HTTP/1.1\r\nHost: a\r\nExpect: rain\r\n\r\n", 417),
    ])
    func `a malformed head is refused with a status`(text: String, status: Int) {
        #expect(Self.words(text).last == "refused \(status)")
    }

    @Test(arguments: ["x", "-1", "", "fffffffffffffffff", "1\r\nab", "1\r\nabc\r\n", "0\r\nbad trailer\r\n"])
    func `malformed chunks are refused`(chunks: String) {
        let head = "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        #expect(Self.words(head + chunks + "\r\n").last == "refused 400")
    }

    @Test func `heads and field counts beyond the limit are refused before they are complete`() {
        let parser = RequestParser(headLimit: 100, fieldLimit: 3)
        let long = Array("GET /\(String(repeating: "a", count: 100))".utf8)
        #expect(Self.words(long, parser: parser) == ["refused 431"])
        let many = Array("GET / HTTP/1.1\r\nHost: a\r\nA: b\r\nA: b\r\nA: b\r\n\r\n".utf8)
        #expect(Self.words(many, parser: parser) == ["refused 431"])
    }
}

extension [String] {
    fileprivate mutating func append(_ event: RequestParser.Event) {
        switch event {
        case .head(let head): append("\(head.method) \(head.target)")
        case .body(let bytes):
            let text = String(String.UnicodeScalarView(bytes.map { UnicodeScalar($0) }))
            if last?.hasPrefix("=") == true { self[count - 1] += text } else { append("=" + text) }
        case .end(let trailers): append(trailers.isEmpty ? "end" : "end \(trailers)")
        case .failure(let failure): append("refused \(failure.status)")
        }
    }
}
