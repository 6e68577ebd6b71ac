import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineWebSocket

@Suite(.timeLimit(.minutes(10)), .enabled(if: Deflater.isAvailable, "the system has no zlib"))
struct CompressionTermsTests {
    typealias Side = CompressionTerms.Side

    private static func compression(keepsContext: Bool = true, windowBits: Int = 15) -> WebSocketCompression {
        var compression = WebSocketCompression()
        (compression.keepsContext, compression.windowBits) = (keepsContext, windowBits)
        return compression
    }

    @Test func `a client offers what its options say`() {
        #expect(CompressionTerms.offer(nil) == nil)
        #expect(CompressionTerms.offer(Self.compression()) == "permessage-deflate; client_max_window_bits")
        #expect(
            CompressionTerms.offer(Self.compression(keepsContext: false, windowBits: 10))
                == "permessage-deflate; server_no_context_takeover; client_no_context_takeover; "
                + "server_max_window_bits=10; client_max_window_bits=10")
    }

    @Test(arguments: [(8, 9), (-1, 9), (16, 15), (.max, 15)])
    func `a window that zlib does not have becomes the nearest one`(bits: Int, offered: Int) {
        let text = CompressionTerms.offer(Self.compression(windowBits: bits))
        #expect(text == CompressionTerms.offer(Self.compression(windowBits: offered)))
    }

    @Test(
        arguments: [
            ("permessage-deflate", CompressionTerms()),
            ("Permessage-Deflate", CompressionTerms()),
            (
                "permessage-deflate; client_no_context_takeover ;server_no_context_takeover",
                CompressionTerms(client: Side(keepsContext: false), server: Side(keepsContext: false))
            ),
            (
                "permessage-deflate;server_max_window_bits=8; client_max_window_bits=\"9\"",
                CompressionTerms(client: Side(windowBits: 9), server: Side(windowBits: 8))
            ),
        ] as [(String, CompressionTerms)])
    func `a client takes the terms of the answer`(text: String, terms: CompressionTerms) throws {
        let headers: HTTPHeaders = ["Sec-WebSocket-Extensions": text]
        #expect(try CompressionTerms.answer(headers, to: Self.compression()) == terms)
        #expect(CompressionTerms(answered: headers) == terms)
    }

    @Test func `a connection without an answer is not compressed`() throws {
        for headers in [[:], ["Sec-WebSocket-Extensions": ""]] as [HTTPHeaders] {
            #expect(try CompressionTerms.answer(headers, to: Self.compression()) == nil)
            #expect(try CompressionTerms.answer(headers, to: nil) == nil)
        }
    }

    @Test(arguments: [
        "permessage-deflate, permessage-deflate", "permessage-bzip2", "permessage-deflate; x", "permessage-deflate;",
        "permessage-deflate; server_max_window_bits", "permessage-deflate; client_max_window_bits",
        "permessage-deflate; server_max_window_bits=7", "permessage-deflate; server_max_window_bits=16",
        "permessage-deflate; server_max_window_bits=09", "permessage-deflate; server_max_window_bits=+9",
        "permessage-deflate; client_no_context_takeover; client_no_context_takeover",
        "permessage-deflate; client_no_context_takeover=1", "permessage-deflate; =1", "; permessage-deflate",
        "permessage-deflate; server_max_window_bits=\"", "permessage deflate",
    ])
    func `an answer that does not fit the offer is a fault`(text: String) {
        let headers: HTTPHeaders = ["Sec-WebSocket-Extensions": text]
        #expect(throws: WebSocketFault.self) { try CompressionTerms.answer(headers, to: Self.compression()) }
    }

    @Test func `an answer with more than was offered is a fault`() throws {
        let plain: HTTPHeaders = ["Sec-WebSocket-Extensions": "permessage-deflate"]
        let small: HTTPHeaders = ["Sec-WebSocket-Extensions": "permessage-deflate; server_max_window_bits=11"]
        #expect(throws: WebSocketFault.self) { try CompressionTerms.answer(plain, to: nil) }
        #expect(throws: WebSocketFault.self) {
            try CompressionTerms.answer(plain, to: Self.compression(keepsContext: false))
        }
        #expect(throws: WebSocketFault.self) {
            try CompressionTerms.answer(small, to: Self.compression(windowBits: 10))
        }
        let terms = try CompressionTerms.answer(small, to: Self.compression(windowBits: 11))
        #expect(terms == CompressionTerms(client: Side(windowBits: 11), server: Side(windowBits: 11)))
    }

    @Test(
        arguments: [
            ("permessage-deflate", "permessage-deflate"),
            ("permessage-deflate; client_max_window_bits", "permessage-deflate; client_max_window_bits=12"),
            ("permessage-deflate; client_max_window_bits=10", "permessage-deflate; client_max_window_bits=10"),
            ("permessage-deflate; server_max_window_bits=9", "permessage-deflate; server_max_window_bits=9"),
            ("permessage-deflate; server_no_context_takeover", "permessage-deflate; server_no_context_takeover"),
            ("permessage-deflate; client_no_context_takeover", "permessage-deflate; client_no_context_takeover"),
            ("permessage-deflate; server_max_window_bits=7, permessage-deflate", "permessage-deflate"),
            ("x-other; a=b, permessage-deflate", "permessage-deflate"),
        ] as [(String, String)])
    func `a server accepts the first offer that it understands`(offer: String, answer: String) {
        var own = WebSocketCompression()
        own.windowBits = 12
        let terms = CompressionTerms.accepted(in: ["Sec-WebSocket-Extensions": offer], by: own)
        // This server's own compressor uses a window smaller than the maximum.
        let limited = answer.contains("server_max") ? answer : Self.adding("server_max_window_bits=12", to: answer)
        #expect(terms?.text == limited)
    }

    private static func adding(_ parameter: String, to answer: String) -> String {
        guard let end = answer.range(of: "; client_max") else { return answer + "; " + parameter }
        return answer[..<end.lowerBound] + "; " + parameter + answer[end.lowerBound...]
    }

    @Test func `a server without compression accepts no offer`() {
        let headers: HTTPHeaders = ["Sec-WebSocket-Extensions": "permessage-deflate"]
        #expect(CompressionTerms.accepted(in: headers, by: nil) == nil)
        #expect(CompressionTerms.accepted(in: [:], by: WebSocketCompression()) == nil)
        #expect(CompressionTerms.accepted(in: ["Sec-WebSocket-Extensions": "; x"], by: WebSocketCompression()) == nil)
    }

    @Test(arguments: [true, false], [9, 12, 15])
    func `each end understands the other one`(keepsContext: Bool, bits: Int) throws {
        let own = Self.compression(keepsContext: keepsContext, windowBits: bits)
        for other in [Self.compression(), Self.compression(keepsContext: false, windowBits: 10)] {
            let offer = try #require(CompressionTerms.offer(own))
            let accepted = try #require(
                CompressionTerms.accepted(in: ["Sec-WebSocket-Extensions": offer], by: other))
            let answer: HTTPHeaders = ["Sec-WebSocket-Extensions": accepted.text]
            #expect(CompressionTerms(answered: answer)?.text == accepted.text)
            #expect(try CompressionTerms.answer(answer, to: own)?.text == accepted.text)
        }
    }
}
