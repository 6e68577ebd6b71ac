import Foundation
import Testing

@testable import NetworkEngine

/// The text that a body's bytes are decoded to.
@Suite(.timeLimit(.minutes(5))) struct TextDecodingTests {
    static let texts: [(type: String?, bytes: [UInt8], text: String)] = [
        (nil, Array("grün".utf8), "grün"),
        ("text/plain", Array("grün".utf8), "grün"),
        ("text/plain; charset=utf-8", Array("grün".utf8), "grün"),
        ("text/plain;charset=\"UTF-8\"", Array("grün".utf8), "grün"),
        ("text/plain; format=flowed; Charset=UTF8", Array("grün".utf8), "grün"),
        ("text/plain; charset=", Array("grün".utf8), "grün"),
        ("text/plain; charset=iso-8859-1", [0x67, 0x72, 0xFC, 0x6E], "grün"),
        ("text/plain; charset=ISO-8859-1", [0x67, 0x72, 0xFC, 0x6E], "grün"),
        ("text/plain; charset=windows-1252", [0x80], "€"),
        ("text/plain; charset=us-ascii", Array("green".utf8), "green"),
        ("text/plain; charset=utf-16le", [0x67, 0, 0xFC, 0], "gü"),
        ("text/plain; charset=utf-16be", [0, 0x67, 0, 0xFC], "gü"),
        ("text/plain; charset=utf-16", [0xFF, 0xFE, 0x67, 0], "g"),
        ("text/plain; charset=utf-16", [0xFE, 0xFF, 0, 0x67], "g"),
        (nil, [0xFF, 0xFE, 0x67, 0], "g"),
        (nil, [0xFE, 0xFF, 0, 0x67], "g"),
        (nil, [0xEF, 0xBB, 0xBF, 0x67], "g"),
        ("text/plain; charset=utf-8", [0xEF, 0xBB, 0xBF, 0x67], "g"),
        ("text/plain; charset=no-such-thing", Array("grün".utf8), "grün"),
        (nil, [], ""),
        ("text/plain; charset=utf-16", [], ""),
    ]

    @Test(arguments: texts)
    func `the charset comes from the header, a byte order mark, or is UTF-8`(
        type: String?, bytes: [UInt8], text: String
    ) throws {
        #expect(try ResponseDecoding<String>.string.value(.sample(Data(bytes), type: type)) == text)
    }

    @Test(
        arguments: [
            (nil, [0x67, 0xFC], "utf-8"),
            ("text/plain; charset=utf-8", [0xC3], "utf-8"),
            ("text/plain; charset=us-ascii", [0x67, 0xFC], "us-ascii"),
            ("text/plain; charset=no-such-thing", [0x67, 0xFC], "no-such-thing"),
        ] as [(String?, [UInt8], String)])
    func `bytes that are not text are an error that names the charset`(type: String?, bytes: [UInt8], name: String) {
        let error = #expect(throws: NetworkError.self) {
            try ResponseDecoding<String>.string.value(.sample(Data(bytes), type: type))
        }
        #expect(error?.kind == .decoding && error?.reason == "the body is not \(name) text")
        #expect(error?.response?.data == Data(bytes))
    }
}
