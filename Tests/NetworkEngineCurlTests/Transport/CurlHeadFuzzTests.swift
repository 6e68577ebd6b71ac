import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting

/// Malformed heads, one after another on the same handles. `.ci/run` repeats this under AddressSanitizer.
@Suite(.timeLimit(.minutes(15)), .needsCurl) struct CurlHeadFuzzTests {
    private static let heads = [
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-A: one\r\n\r\nok",
        "HTTP/1.1 200 OK\r\n\tX: folded\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nX-A: one\r\n two\r\n\tthree\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 103 Early\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\n folded\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\tX: folded\r\nX-Sum: 1\r\n 2\r\n\r\n",
        "HTTP/1.0 401 No\r\nWWW-Authenticate: Basic realm=x\r\nSet-Cookie: a=b\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\n\u{1F}\u{8B}\u{8}",
    ]
    private static let pieces = [
        "\r\n\t", "\r\n ", "\r\n", "\n", "\r", ":", " ", "\0", "a", "9", "HTTP/1.1 200 OK\r\n",
    ]

    /// 300 heads; 20,000 in the long form.
    private static let count = TestLength.count(300, gate: 5_000, whole: 20_000)

    private static func mutated(_ random: inout SeededGenerator) -> Data {
        var bytes = Array((heads.randomElement(using: &random) ?? "").unicodeScalars.map { UInt8($0.value) })
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let index = Int.random(in: 0...bytes.count, using: &random)
            let piece = Array((pieces.randomElement(using: &random) ?? "").utf8)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes.insert(contentsOf: piece, at: index)
            case 1: bytes.insert(contentsOf: Array(repeating: piece, count: 300).flatMap { $0 }, at: index)
            case 2: bytes.removeSubrange(index..<min(bytes.count, index + 3))
            default: if index < bytes.count { bytes[index] = UInt8.random(in: 0...255, using: &random) }
            }
        }
        return Data(bytes)
    }

    @Test(arguments: [1, 2]) func `no head damages the next exchange`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let server = try LoopbackServer()
        try await withTransport(requestsPerHost: 1) { transport in
            for number in 0..<Self.count {
                server.enqueue(.raw(Self.mutated(&random)))
                _ = try? await transport.send(server.request())
                guard number.isMultiple(of: 10) else { continue }
                server.enqueue(LoopbackResponse.text("good").header("X-Number", "\(number)"))
                let response = try await transport.send(server.request())
                #expect(response.text == "good" && response.headers["X-Number"] == "\(number)")
            }
        }
    }
}
