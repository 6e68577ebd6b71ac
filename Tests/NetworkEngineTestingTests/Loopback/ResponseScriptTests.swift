import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5)))
struct ResponseScriptTests {
    /// The steps as short words, including the end.
    private static func steps(
        _ response: LoopbackResponse, to line: String = "GET / HTTP/1.1", keepsAlive: Bool = true, limit: Int = 100
    ) throws -> [String] {
        let head = try RequestHead(parsing: Array("\(line)\r\nHost: a\r\n\r\n".utf8), fieldLimit: 9)
        var script = ResponseScript(response, to: head, keepsAlive: keepsAlive)
        var steps: [String] = []
        while steps.count < limit {
            switch script.next() {
            case .send(let bytes): steps.append(String(decoding: bytes, as: UTF8.self))
            case .incident(.fault(let fault)): steps.append("<\(fault)>")
            case .incident(.wait(let duration)): steps.append("<\(duration)>")
            case .incident(.hold): steps.append("<hold>")
            case .end(let ending): return steps + ["<\(ending)>"]
            }
        }
        return steps
    }

    private static func response(_ body: String = "hello") -> LoopbackResponse {
        LoopbackResponse(body: .data(Data(body.utf8)))
    }

    @Test func `a small response is one write`() throws {
        let steps = try Self.steps(Self.response())
        #expect(steps == ["HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "<keepAlive>"])
    }

    @Test func `chunks have the size asked for, and trailers follow them`() throws {
        let steps = try Self.steps(Self.response().chunked(size: 2).trailers(["X": "y"]))
        let body = "2\r\nhe\r\n2\r\nll\r\n1\r\no\r\n0\r\nX: y\r\n\r\n"
        #expect(steps == ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + body, "<keepAlive>"])
    }

    @Test(arguments: [(2, 2), (0, 0), (-1, 0), (Int.min, 0)])
    func `an informational response is sent as often as asked, and never less than not at all`(
        times: Int, count: Int
    ) throws {
        let text = try Self.steps(Self.response().interim(103, times: times)).joined()
        #expect(text.components(separatedBy: "HTTP/1.1 103").count == count + 1)
    }

    @Test func `a hanging response sends nothing`() throws {
        #expect(try Self.steps(.hang).first == "<stall>")
    }

    @Test func `a fault cuts a chunk in two and counts payload only`() throws {
        let steps = try Self.steps(Self.response().chunked(size: 4).fault(.close, at: .responseBody(afterBytes: 3)))
        #expect(steps[0].hasSuffix("\r\n\r\n4\r\nhel") && steps[1] == "<close>")
    }

    @Test func `a fault at the end of a chunked body leaves out the last chunk`() throws {
        let steps = try Self.steps(Self.response().chunked(size: 5).fault(.close, at: .responseBody(afterBytes: 5)))
        #expect(steps[0].hasSuffix("5\r\nhello\r\n") && steps[1] == "<close>")
    }

    @Test func `an offset past the end means the end`() throws {
        let steps = try Self.steps(Self.response().fault(.reset, at: .responseBody(afterBytes: 99)))
        #expect(steps[0].hasSuffix("hello") && steps[1] == "<reset>")
    }

    @Test func `incidents happen in the order of their times`() throws {
        let response = Self.response().fault(.stall, at: .responseEnd).delayed(
            by: .seconds(2), at: .responseBody(afterBytes: 2)
        )
        .delayed(by: .seconds(1)).held(by: LoopbackBarrier(), at: .responseHead(afterBytes: 4))
        let steps = try Self.steps(response)
        let tail = [
            "<hold>", "/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe", "<2.0 seconds>", "llo", "<stall>", "<keepAlive>",
        ]
        #expect(steps == ["<1.0 seconds>", "HTTP"] + tail)
    }

    @Test func `a dripping body is a write for each piece`() throws {
        let steps = try Self.steps(Self.response().dripped(bytes: 2, every: .milliseconds(1)))
        #expect(
            steps.dropFirst() == [
                "he", "<0.001 seconds>", "ll", "<0.001 seconds>", "o", "<0.001 seconds>", "<keepAlive>",
            ])
        #expect(try Self.steps(Self.response("").dripped(includingHead: true)).first == "H")
    }

    @Test func `a declared length is sent unchanged, true or not`() throws {
        let steps = try Self.steps(Self.response().declaringLength("-1", "99999999999999999999"))
        #expect(steps[0].contains("Content-Length: -1\r\nContent-Length: 99999999999999999999\r\n\r\nhello"))
    }

    @Test(arguments: [("HEAD / HTTP/1.1", 200, 5), ("GET / HTTP/1.1", 204, nil), ("GET / HTTP/1.1", 304, nil)])
    func `some responses have no body`(line: String, status: Int, length: Int?) throws {
        var response = Self.response()
        response.status = status
        let steps = try Self.steps(response, to: line)
        #expect(steps[0].hasSuffix((length.map { "\r\nContent-Length: \($0)" } ?? "") + "\r\n\r\n"))
        #expect(!steps[0].contains("hello"))
    }

    @Test func `informational responses go ahead`() throws {
        let steps = try Self.steps(Self.response().interim(103, headers: ["Link": "a"]).interim(100, times: 2))
        let ahead =
            "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n" + String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 2)
        #expect(steps[0].hasPrefix(ahead + "HTTP/1.1 200 OK\r\n"))
    }

    @Test func `an endless body continues in chunks, or until the connection is closed`() throws {
        let chunked = try Self.steps(.endless("abc"), limit: 5)
        #expect(chunked.count == 5 && chunked[0].contains("\r\n4000\r\nabcabc"))
        let old = try Self.steps(.endless("abc"), to: "GET / HTTP/1.0", limit: 3)
        #expect(
            old.joined().hasPrefix(
                "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nConnection: close\r\n\r\nabcabc"))
    }

    @Test func `a pattern repeats across pieces up to its count`() throws {
        let body = LoopbackBody.repeating(Data("abcdefg".utf8), count: 100_000)
        let text = try Self.steps(LoopbackResponse(body: body)).dropLast().joined()
        #expect(text.hasSuffix(String(String(repeating: "abcdefg", count: 14_286).prefix(100_000))))
    }

    @Test func `a response that ends the connection announces it, unless configured otherwise`() throws {
        #expect(try Self.steps(Self.response(), keepsAlive: false)[0].contains("Connection: close\r\n"))
        #expect(try Self.steps(Self.response().ending(.close))[0].contains("Connection: close\r\n"))
        #expect(try Self.steps(Self.response().closeDelimited()).last == "<close>")
        #expect(try !Self.steps(Self.response().ending(.closeSilently))[0].contains("Connection"))
        #expect(try Self.steps(Self.response(), to: "GET / HTTP/1.0")[0].contains("Connection: keep-alive\r\n"))
    }

    @Test func `raw bytes are sent unchanged, with head and body separated`() throws {
        let raw = LoopbackResponse.raw("HTTP/1.1 99 x\r\n\r\nbody").fault(.reset, at: .responseBody(afterBytes: 2))
        #expect(try Self.steps(raw) == ["HTTP/1.1 99 x\r\n\r\nbo", "<reset>", "dy", "<close>"])
        #expect(
            try Self.steps(.raw("nonsense", then: .keepAlive), to: "HEAD / HTTP/1.1") == ["nonsense", "<keepAlive>"])
    }
}
