import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Foundation's parser returns the same random text that was encoded.
@Suite(.timeLimit(.minutes(5)), .disabled(if: ThreadSanitizer.isWatching, "runs on one thread"))
struct EncodingPropertyTests {
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `encoded names and values are read back`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let base = try #require(URL(string: "https://e.com/a?own=%2B"))
        for _ in 0..<250 {
            let parameters = (0..<4).reduce(into: [:] as Parameters) { all, _ in all[random.text()] = random.text() }
            let query = try QueryEncoder().encode(parameters)
            let url = try URLJoining.join(base: base, path: "/x", query: query)
            let items = try #require(URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems)
            #expect(items.first == URLQueryItem(name: "own", value: "+"))
            let read = Dictionary(uniqueKeysWithValues: items.dropFirst().map { ($0.name, $0.value ?? "") })
            #expect(read == parameters.compactMapValues { $0 as? String })
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `any path gives an address on the same host that reads back as the path`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let base = try #require(URL(string: "https://e.com/root"))
        for _ in 0..<250 {
            let path = "x" + String(random.text().unicodeScalars.filter { $0 != "?" && $0 != "%" })
            let url = try URLJoining.join(base: base, path: path)
            let parts = try #require(URLComponents(string: url.absoluteString))
            #expect(parts.host == "e.com" && parts.query == nil && parts.fragment == nil)
            #expect(parts.path.unicodeScalars.elementsEqual(("/root/" + path).unicodeScalars))
            #expect(url.absoluteString.utf8.allSatisfy { (0x21..<0x7F).contains($0) })
        }
    }

    @Test func `any text is joined as a path without a trap`() throws {
        var random = SeededGenerator(seed: 99)
        let base = try #require(URL(string: "https://e.com?a=b"))
        for start in ["", "?", "http://", "https://e.com", "https://[", "//", "%"] {
            for _ in 0..<200 {
                guard let url = try? URLJoining.join(base: base, path: start + random.text()) else { continue }
                #expect(url.absoluteString.utf8.allSatisfy { (0x21..<0x7F).contains($0) && $0 != UInt8(ascii: "#") })
                #expect(try URLJoining.join(base: url, path: "").absoluteString == url.absoluteString)
            }
        }
    }
}

extension SeededGenerator {
    /// Up to 12 characters, the dangerous ones more frequently.
    fileprivate mutating func text() -> String {
        let awkward = Array("%%+&=#?/:@[]{}|\\^`\"'<> ;,!$*()~-._\r\n\t\0\u{7F}aZ09üñ日🙂\u{202E}\u{301}".unicodeScalars)
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...12, using: &self) {
            let any = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &self))
            let pick = Int.random(in: 0...7, using: &self) == 0 ? any : awkward.randomElement(using: &self)
            if let pick { text.append(pick) }
        }
        return String(text)
    }
}
