import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl

@Suite(.timeLimit(.minutes(5))) struct CurlHeadTests {
    private static func head(_ lines: String...) -> (CurlHead, CurlHead.Step) {
        var head = CurlHead()
        var step = CurlHead.Step.line
        for line in lines { step = Array((line + "\r\n").utf8).withUnsafeBytes { head.receive($0) } }
        return (head, step)
    }

    @Test func `a head is complete at its empty line`() {
        let (head, step) = Self.head("HTTP/1.1 200 OK", "Content-Length: 7", "X: y", "")
        #expect(step == .complete)
        #expect(head.statusCode == 200)
        #expect(head.bodyLength == 7)
        #expect(HTTPHeaders(lines: head.fields) == ["Content-Length": "7", "X": "y"])
    }

    @Test func `an interim head is dropped when the next begins`() {
        let (head, step) = Self.head("HTTP/1.1 103 Early", "Link: a", "", "HTTP/1.1 204 No", "X: y", "")
        #expect(step == .complete)
        #expect(head.statusCode == 204)
        #expect(HTTPHeaders(lines: head.fields) == ["X": "y"])
    }

    @Test func `a trailer is not part of the head`() {
        let (head, step) = Self.head("HTTP/1.1 200 OK", "X: y", "", "Trailer: z", "")
        #expect(step == .line)
        #expect(HTTPHeaders(lines: head.fields) == ["X": "y"])
        #expect(HTTPHeaders(lines: head.trailers) == ["Trailer": "z"])
    }

    @Test(arguments: [
        ("close", true), ("Keep-Alive, CLOSE", true), ("keep-alive", false), ("closed", false), ("", false),
    ])
    func `a head says whether the connection ends`(value: String, ends: Bool) {
        #expect(Self.head("HTTP/1.1 200 OK", "Connection: \(value)", "").0.endsConnection == ends)
    }

    @Test(arguments: ["HTTP/1.1", "HTTP/1.1 20", "HTTP/1.1 2000", "HTTP/1.1 abc", "HTTP/1.1 099 x"])
    func `a status is three digits from 100 on`(line: String) {
        guard case .broken(.violation) = Self.head(line).1 else { return #expect(Bool(false), "taken") }
    }

    @Test(arguments: [["5", "3"], ["-5"], ["5, 3"], ["99999999999999999999"], ["5x"]])
    func `a length is one number`(values: [String]) {
        var head = CurlHead()
        var step = Array("HTTP/1.1 200 OK\r\n".utf8).withUnsafeBytes { head.receive($0) }
        for value in values {
            step = Array("content-LENGTH: \(value)\r\n".utf8).withUnsafeBytes { head.receive($0) }
        }
        guard case .broken(.violation) = step else { return #expect(Bool(false), "\(step)") }
    }

    @Test func `the same length twice is one`() {
        #expect(Self.head("HTTP/1.1 200 OK", "Content-Length: 5", "Content-Length: 5, 5", "").0.bodyLength == 5)
    }

    @Test func `chunked framing wins over a length`() {
        let lines = ("HTTP/1.1 200 OK", "Content-Length: 5", "Transfer-Encoding: chunked")
        #expect(Self.head(lines.0, lines.1, lines.2, "").0.bodyLength == nil)
    }

    @Test(arguments: ["gzip", "gzip, chunked", "chunked, x", "chunkedx"])
    func `a transfer coding that was not asked for is a violation`(value: String) {
        let (_, step) = Self.head("HTTP/1.1 200 OK", "Transfer-Encoding: \(value)")
        guard case .broken(.violation) = step else { return #expect(Bool(false), "\(step)") }
    }

    @Test func `the transfer coding identity is none`() {
        let head = Self.head("HTTP/1.1 200 OK", "Content-Length: 5", "transfer-encoding: Identity", "").0
        #expect(head.bodyLength == 5 && !head.isChunked)
    }

    @Test func `codings keep their order`() {
        let (head, _) = Self.head("HTTP/1.1 200 OK", "Content-Encoding: deflate,\tgzip ,x", "Content-Encoding: y", "")
        #expect(head.codings == ["deflate", "gzip", "x", "y"])
    }

    @Test func `an endless head exceeds the limit`() {
        var head = CurlHead()
        _ = Array("HTTP/1.1 200 OK\r\n".utf8).withUnsafeBytes { head.receive($0) }
        let line = Array("X: \(String(repeating: "x", count: 1_000))\r\n".utf8)
        let steps = (0..<2_000).map { _ in line.withUnsafeBytes { head.receive($0) } }
        #expect(steps.contains(.broken(.headTooLarge(limit: 1 << 20))))
    }
}
