import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineObservation

/// Secrets in bodies that aren't UTF-8, or that start with a byte order mark.
@Suite(.timeLimit(.minutes(5)), .disabled(if: ThreadSanitizer.isWatching, "runs on one thread"))
struct EncodedTextTests {
    private func redact(_ body: Data, _ type: String? = nil) -> Data {
        var redactor = MessageRedactor()
        var request = HTTPRequest(method: .post, url: URL(fileURLWithPath: "/"))
        request.body = .data(body)
        request.headers["Content-Type"] = type
        return redactor.redact(request).body.data ?? Data()
    }

    @Test(arguments: [
        (#"{"access_token":"hunter2","name":"Müller"}"#, #"{"access_token":"<redacted>","name":"Müller"}"#),
        (" <a><token>hunter2</token>ü\u{80}</a>", " <a><token>&lt;redacted&gt;</token>ü\u{80}</a>"),
        ("name=Müller&password=hunter2&a=b", "name=Müller&password=%3Credacted%3E&a=b"),
        ("name: Müller\npassword: hunter2\n", "name: Müller\npassword: <redacted>\n"),
        (
            "{\"access_token\":\"hunter2\",\"line\":\"\u{1B}[32mwith a control character in a long text: Müller\"}",
            "{\"access_token\":\"<redacted>\",\"line\":\"\u{1B}[32mwith a control character in a long text: Müller\"}"
        ),
    ])
    func `a secret in Latin-1 without a type is hidden, and the other bytes stay`(text: String, shown: String) throws {
        let body = try #require(text.data(using: .isoLatin1))
        let expected = try #require(shown.data(using: .isoLatin1))
        for type in [nil, "application/octet-stream"] { #expect(redact(body, type) == expected) }
    }

    @Test(arguments: [
        Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0xFF]), Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 0x10]),
        Data([0x1F, 0x8B, 8, 0]), Data([0x7B, 0xFF, 0, 1]), Data([0x78, 0, 1, 2, 0xFF, 0xFE]), Data([0, 0x78, 0xD8]),
        Data([0xFF, 0xFE, 0x78]), Data([0xFF, 0xFE]), Data([0xEF, 0xBB, 0xBF]), Data([0]), Data(),
        Data(UInt8(128)...255), Data([0xFF, 0xFE, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]), Data([0xFF, 0xFE, 0, 0xD8, 0x78, 0]),
    ])
    func `bytes without secrets stay`(body: Data) {
        for type in [nil, "image/png", "text/plain; charset=utf-16"] { #expect(redact(body, type) == body) }
    }

    @Test(arguments: "{[<".utf8)
    func `other data that begins like a document stays`(first: UInt8) {
        let body = Data((0..<100_000).map { first &+ UInt8(truncatingIfNeeded: $0 &* 97) })
        for type in [nil, "application/octet-stream"] { #expect(redact(body, type) == body) }
    }

    private static let declared = "text/plain; charset=UTF-16"
    private static let wide: [(body: String, type: String?, placeholder: String)] = [
        (#"{"access_token":"hunter2","name":"Müller 😀"}"#, "application/json", "<redacted>"),
        (#"{"access_token":"hunter2"}"#, nil, "<redacted>"),
        ("<?xml version='1.0'?><a token='hunter2'>ü</a>", "application/xml", "&lt;redacted&gt;"),
        ("<pin>hunter2</pin>", nil, "&lt;redacted&gt;"), ("a: ü\npassword: hunter2\n", declared, "<redacted>"),
        ("pin=hunter2&a=b", "application/x-www-form-urlencoded", "%3Credacted%3E"),
    ]

    @Test(arguments: wide) func `a secret in wide text is hidden, and the text stays in its encoding`(
        body: String, type: String?, placeholder: String
    ) throws {
        for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian] {
            for mark in ["", "\u{FEFF}"] {
                let text = mark + body
                let whole = try #require(text.data(using: encoding))
                let expected = try #require(text.replacing("hunter2", with: placeholder).data(using: encoding))
                #expect(redact(whole, type) == expected)
                #expect(redact(expected, type) == expected)
            }
        }
    }

    @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian])
    func `wide text that does not begin with ASCII is known by its charset`(encoding: String.Encoding) throws {
        let body = try #require("ü: 1\npassword: hunter2\n".data(using: encoding))
        let shown = try #require("ü: 1\npassword: <redacted>\n".data(using: encoding))
        #expect(redact(body, Self.declared) == shown)
    }

    @Test func `wide text that was cut is searched`() throws {
        let body = try #require(#"{"password":"hunter2"#.data(using: .utf16LittleEndian))
        let shown = try #require(#"{"password":"<redacted>"#.data(using: .utf16LittleEndian))
        #expect(redact(Data(body.dropLast()), "application/json").starts(with: shown))
    }

    @Test(
        arguments: [
            ("<a><token>hunter2</token></a>", nil), (#"{"password":"hunter2"}"#, nil),
            ("password: hunter2", "text/plain"), ("password=hunter2&a=b", nil),
        ] as [(String, String?)])
    func `a secret behind a byte order mark is hidden, and the mark stays`(body: String, type: String?) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let shown = redact(Data(mark) + Data(body.utf8), type)
        #expect(shown.starts(with: mark) && !String(decoding: shown, as: UTF8.self).contains("hunter2"))
    }

    @Test func `many byte order marks are not read one within the other`() {
        let marks = Data(String(repeating: "\u{FEFF}", count: 1 << 14).utf8)
        #expect(redact(marks).starts(with: marks.prefix(3)))
    }
}
