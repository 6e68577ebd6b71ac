import Foundation
import TestSupport
import Testing

@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(10)))
struct RequestParserFuzzTests {
    private static let seeds: [[UInt8]] = [
        "GET /a?b=c HTTP/1.1\r\nHost: a\r\nAccept: */*\r\n\r\n",
        "POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\nConnection: close\r\n\r\nhello world",
        "PUT /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n3\r\nabc\r\n1a;e=1\r\n"
            + "abcdefghijklmnopqrstuvwxyz\r\n0\r\nX: y\r\n\r\nGET / HTTP/1.0\r\n\r\n",
        "DELETE * HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1, 1\r\n\r\n.",
    ].map { Array($0.utf8) }

    private static let words = [
        "\r\n", "\n", "\r", "\0", " ", ":", ",", ";", "0", "-1", "ffffffffffffffff", "9223372036854775807", "HTTP/1.1",
        "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n", "Host: b\r\n", "\u{FF}", "é", "chunked", "GET ",
    ].map { Array($0.utf8) }

    private static func mutated(_ random: inout SeededGenerator) -> [UInt8] {
        var bytes = seeds[random.below(seeds.count)]
        for _ in 0...random.below(4) {
            let index = random.below(bytes.count + 1)
            let end = min(bytes.count, index + random.below(12))
            switch random.below(6) {
            case 0: bytes.insert(contentsOf: words[random.below(words.count)], at: index)
            case 1: bytes.removeSubrange(index..<end)
            case 2: bytes.insert(contentsOf: bytes[index..<end], at: index)
            case 3: bytes.replaceSubrange(index..<end, with: words[random.below(words.count)])
            case 4: bytes.insert(contentsOf: seeds[random.below(seeds.count)], at: index)
            default: if index < bytes.count { bytes[index] = UInt8(truncatingIfNeeded: random.next()) }
            }
        }
        return bytes
    }

    @Test func `no mutated request breaks the parser, and cuts change nothing`() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<TestLength.count(4_000, gate: 50_000, whole: 200_000) {
            let bytes = Self.mutated(&random)
            let whole = RequestParserTests.words(bytes)
            let pieces = RequestParserTests.words(bytes, cutAt: 1 + random.below(40))
            #expect(whole == pieces, "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
            #expect(whole.count <= 3 * bytes.count)
        }
    }

    @Test func `no mutated request breaks a server`() throws {
        var random = SeededGenerator(seed: 2)
        let server = try LoopbackServer { .text($0.text) }
        for round in 0..<TestLength.count(1_000, gate: 5_000, whole: 20_000) {
            let client = try RawClient(server)
            // The server may have rejected the request and closed before everything is sent.
            try? client.send(Self.mutated(&random))
            if round % 3 == 0 { client.reset() } else { client.finishSending() }
            if round % 3 == 1 { _ = try? client.readToEnd() }
        }
        let client = try RawClient(server)
        try client.send(RawClient.get("/", "Connection: close"))
        #expect(try client.readToEnd().hasPrefix("HTTP/1.1 200 OK\r\n"))
    }
}

extension SeededGenerator {
    fileprivate mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}
