import Foundation
import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5))) struct LineSplitterTests {
    private static func lines(_ text: String, inPiecesOf size: Int) -> [String] {
        var splitter = LineSplitter()
        var lines: [String] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            splitter.add(Data(bytes[start..<min(start + size, bytes.count)]))
            while let line = splitter.next() { lines.append(String(decoding: line, as: UTF8.self)) }
        }
        if let rest = splitter.takeRest() { lines.append(String(decoding: rest, as: UTF8.self)) }
        return lines
    }

    @Test func `a stream whose chunks end inside lines needs the memory of one chunk and one line`() {
        var splitter = LineSplitter()
        for _ in 0..<1_000 {
            splitter.add(Data("xxxx\nx".utf8))
            while splitter.next() != nil {}
            #expect(splitter.pendingCount == 1 && splitter.heldCount <= 7)
        }
    }

    @Test(arguments: [
        ("", []), ("a", ["a"]), ("a\nb", ["a", "b"]), ("a\r\nb\r\n", ["a", "b"]), ("a\rb\r", ["a", "b"]),
        ("\n\n", ["", ""]), ("\r\n\r\n", ["", ""]), ("\r\r", ["", ""]), ("\n\r", ["", ""]),
        ("a\r\n\nb", ["a", "", "b"]),
        ("ä\u{2028}ö\nü", ["ä\u{2028}ö", "ü"]),
    ])
    func `all three line ends are found with any sizes of chunks`(text: String, expected: [String]) {
        for size in 1...max(1, text.utf8.count) {
            #expect(Self.lines(text, inPiecesOf: size) == expected, "in pieces of \(size)")
        }
    }
}
