import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl

@Suite(.timeLimit(.minutes(5))) struct HTTPHeadersLinesTests {
    @Test(
        arguments: [
            ("A: 1\r\nB: 2\r\nA: 3\r\n", [("A", "1"), ("B", "2"), ("A", "3")]),
            ("A:1\nB :  2 \t\n", [("A", "1"), ("B", "2")]),
            ("A: 1\r\n more\r\n\tand more\r\n", [("A", "1 more and more")]),
            ("no colon\r\n: no name\r\nA B: no token\r\nC: 1:2\r\n", [("C", "1:2")]),
            (" goes on with nothing\r\nEmpty:\r\n", [("Empty", "")]),
            ("", []),
        ] as [(String, [(String, String)])])
    func `fields keep their order, and invalid lines are skipped`(lines: String, fields: [(String, String)]) {
        let headers = HTTPHeaders(lines: Array(lines.utf8))
        #expect(headers.map(\.name) == fields.map(\.0))
        #expect(headers.map(\.value) == fields.map(\.1))
    }

    @Test func `a value is UTF-8, else Latin-1`() {
        let headers = HTTPHeaders(lines: Array("A: ä\r\nB: ".utf8) + [0xE4] + Array("\r\n".utf8))
        #expect(headers["A"] == "ä")
        #expect(headers["B"] == "ä")
    }

    @Test func `a carriage return or NUL inside a value becomes a blank`() {
        let headers = HTTPHeaders(lines: Array("A: a\rB: b\r\r\nC: \r\0c\0\r\n".utf8))
        #expect(headers.map(\.name) == ["A", "C"])
        #expect(headers.map(\.value) == ["a B: b", "c"])
    }

    @Test func `a line that begins with a carriage return or NUL continues no other`() {
        let headers = HTTPHeaders(lines: Array("A: 1\r\n\rB: 2\r\n\0C: 3\r\n\r D: 4\r\n".utf8) + [0xE4])
        #expect(headers.map(\.name) == ["A", "B", "C", "D"])
        #expect(headers.map(\.value) == ["1", "2", "3", "4"])
    }

    @Test func `a break in one value does not change how another is read`() {
        let headers = HTTPHeaders(lines: Array("A: ä\rb\r\nB: ".utf8) + [0xE4, 0, 0x62] + Array("\r\nC: c".utf8))
        #expect(headers.map(\.value) == ["ä b", "ä b", "c"])
    }

    @Test func `named fields can be removed`() {
        let headers = HTTPHeaders(lines: Array("A: 1\r\nB: 2\r\n".utf8)) { $0 == "A" }
        #expect(headers == ["B": "2"])
    }
}
