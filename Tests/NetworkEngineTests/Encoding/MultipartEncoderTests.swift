import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5)))
struct MultipartEncoderTests {
    @Test func `fields and files are written in their order`() async throws {
        let file = try temporaryFile("photo.PNG", "pixels")
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        let body = try MultipartEncoder { "BOUND" }.encode([
            MultipartFormData(provider: .data(Data("Ann".utf8)), name: "name"),
            MultipartFormData(provider: .file(file), name: "avatar"),
            MultipartFormData(provider: .data(Data("{}".utf8)), name: "meta", mimeType: "application/json"),
            MultipartFormData(provider: .data(Data()), name: "empty", fileName: "a.unknown"),
        ])
        #expect(body.contentType == "multipart/form-data; boundary=BOUND")
        #expect(
            try await text(of: body).replacingOccurrences(of: "\r\n", with: "\n") == """
                --BOUND
                Content-Disposition: form-data; name="name"

                Ann
                --BOUND
                Content-Disposition: form-data; name="avatar"; filename="photo.PNG"
                Content-Type: image/png

                pixels
                --BOUND
                Content-Disposition: form-data; name="meta"
                Content-Type: application/json

                {}
                --BOUND
                Content-Disposition: form-data; name="empty"; filename="a.unknown"
                Content-Type: application/octet-stream


                --BOUND--

                """
        )
    }

    @Test func `text and JSON are fields, encoded when the form is`() async throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        struct Name: Encodable, Sendable { var firstName = "Ann" }
        #expect(try await head(of: .text("Ann \u{1F600}", name: "name")) == #"name="name""#)
        #expect(try await head(of: .json(Name(), name: "n")) == #"name="n" Content-Type: application/json"#)
        let parts: [MultipartFormData] = [.json(Name(), name: "a"), .json(Name(), name: "b", encoder: JSONEncoder())]
        let body = try MultipartEncoder(jsonEncoder: encoder) { "BOUND" }.encode(parts)
        let text = try await text(of: body)
        #expect(text.contains(#"{"first_name":"Ann"}"#) && text.contains(#"{"firstName":"Ann"}"#))
    }

    @Test func `a part that cannot be encoded is named`() {
        let error = #expect(throws: NetworkError.self) {
            try MultipartEncoder().encode([.text("a", name: "a"), .json(["x": Double.nan], name: "list")])
        }
        #expect(error?.kind == .encoding)
        #expect(error?.reason == #"part 2 "list": the value at "x" is not a finite number"#)
    }

    @Test func `an explicit file name and content type replace those of the file`() async throws {
        let file = try temporaryFile("a.txt", "x")
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        let part = MultipartFormData(
            provider: .file(file), name: "f", fileName: "../b.pdf", mimeType: "text/x; charset=utf-8")
        #expect(try await head(of: part) == #"name="f"; filename="../b.pdf" Content-Type: text/x; charset=utf-8"#)
        let named = MultipartFormData(provider: .file(file), name: "f", fileName: "b.pdf")
        #expect(try await head(of: named) == #"name="f"; filename="b.pdf" Content-Type: application/pdf"#)
    }

    @Test(arguments: [
        ("a\"b", "a%22b"), ("a\rb", "a%0D%0Ab"), ("a\nb", "a%0D%0Ab"), ("a\r\nb", "a%0D%0Ab"),
        ("\n\r\r\n", "%0D%0A%0D%0A%0D%0A"),
        ("a\0b\u{7F}", "a%00b%7F"), ("🙂 ü", "🙂 ü"), ("\u{202E}x", "\u{202E}x"), ("../x\\y", "../x\\y"),
        ("a%22b", "a%22b"), (#"a\"#, "a%5C"), (#"a\\"#, #"a\%5C"#), (#"a\""#, #"a\%22"#), (#"\"#, "%5C"),
    ])
    func `the name of a field is escaped as in browsers`(_ name: String, _ escaped: String) async throws {
        let part = MultipartFormData(provider: .data(Data()), name: name)
        #expect(try await head(of: part) == "name=\"\(escaped)\"")
    }

    @Test(arguments: [
        ("a\"b.txt", "a%22b.txt"), ("a\rb.txt", "a%0Db.txt"), ("a\nb.txt", "a%0Ab.txt"), ("a\r\nb.txt", "a%0D%0Ab.txt"),
        ("\0.txt", "%00.txt"), ("../../etc/passwd.txt", "../../etc/passwd.txt"), (#"C:\a.txt"#, #"C:\a.txt"#),
    ])
    func `the name of a file is escaped, with its line breaks`(_ name: String, _ escaped: String) async throws {
        let part = MultipartFormData(provider: .data(Data()), name: "f", fileName: name)
        #expect(try await head(of: part) == "name=\"f\"; filename=\"\(escaped)\" Content-Type: text/plain")
    }

    /// werkzeug and Go unescape the character after a backslash; Django and starlette search for an escaped quote.
    @Test func `no name ends its quotes early, with any reading of backslashes`() async throws {
        var random = SeededGenerator(seed: 28)
        for _ in 0..<300 {
            let name =
                "n"
                + String(
                    (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in
                        #"\\";=%a"#.randomElement(using: &random)
                    })
            let head = try await head(
                of: MultipartFormData(provider: .data(Data()), name: name, fileName: name, mimeType: "a/b"))
            for opening in [#"; filename=""#, #"name=""#] {
                let start = try #require(head.range(of: opening)).upperBound
                let inPairs = try #require(head[start...].prefixMatch(of: /(?:\\.|[^"\\])*"/))
                let behindBackslashes = try #require(head[start...].prefixMatch(of: /(?:\\"|[^"])*"/))
                let plain = try #require(head[start...].prefixMatch(of: /[^"]*"/))
                #expect(inPairs.output == plain.output && behindBackslashes.output == plain.output, "\(head)")
            }
        }
    }

    @Test func `a boundary that occurs in the content is not used`() throws {
        let proposals = ["AAA", "BBB", "CCC"]
        var count = 0
        let encoder = MultipartEncoder {
            defer { count += 1 }
            return proposals[count % 3]
        }
        let body = try encoder.encode([
            MultipartFormData(provider: .data(Data("x--AAAx".utf8)), name: "a"),
            MultipartFormData(provider: .data(Data("\r\n--BBB".utf8)), name: "b"),
        ])
        #expect(body.contentType.hasSuffix("boundary=CCC"))
    }

    @Test func `a boundary that always occurs in the content is an error`() {
        let part = MultipartFormData(provider: .data(Data("--A".utf8)), name: "a")
        let error = #expect(throws: NetworkError.self) { try MultipartEncoder { "A" }.encode([part]) }
        #expect(error?.kind == .encoding)
    }

    @Test func `boundaries are long and unique`() {
        let boundaries = Set((0..<1000).map { _ in MultipartEncoder.randomBoundary() })
        #expect(boundaries.count == 1000)
        #expect(boundaries.allSatisfy { (40...70).contains($0.utf8.count) && $0.isToken })
    }

    @Test func `ten thousand parts are read back by an independent reader`() async throws {
        let parts = (0..<10_000).map {
            MultipartFormData(provider: .data(Data("value \($0)\r\n--".utf8)), name: "n\($0)")
        }
        let body = try MultipartEncoder().encode(parts)
        let boundary = try #require(body.contentType.split(separator: "=").last)
        let text = try await text(of: body)
        let pieces = ("\r\n" + text).components(separatedBy: "\r\n--\(boundary)")
        #expect(pieces.count == 10_002)
        #expect(pieces.first == "" && pieces.last == "--\r\n")
        for (index, piece) in pieces.dropFirst().dropLast().enumerated() {
            #expect(piece == "\r\nContent-Disposition: form-data; name=\"n\(index)\"\r\n\r\nvalue \(index)\r\n--")
        }
    }

    static let good = MultipartFormData(provider: .data(Data("x".utf8)), name: "ok")
    static let web = URL(string: "https://e.com/a.png?token=secret")

    @Test(arguments: [
        ("does-not-exist", "does not exist"), ("", "is a directory"), ("dev/null", "is not a regular file"),
    ])
    func `a file that cannot be sent is found before sending and named with its part`(_ path: String, _ word: String)
        throws
    {
        let url =
            path == "dev/null"
            ? URL(fileURLWithPath: "/dev/null") : FileManager.default.temporaryDirectory.appendingPathComponent(path)
        let part = MultipartFormData(provider: .file(url), name: "avatar")
        let error = #expect(throws: NetworkError.self) { try MultipartEncoder().encode([Self.good, part]) }
        #expect(error?.kind == .invalidRequest)
        #expect(error?.reason.contains("part 2 \"avatar\"") == true)
        #expect(error?.reason.contains(word) == true, "\(error?.reason ?? "")")
    }

    @Test func `a part can have further fields`() async throws {
        let part = MultipartFormData(
            provider: .data(Data()), name: "n", mimeType: "a/b", headers: ["Content-ID": "<1>", "X-A": "b"])
        #expect(try await head(of: part) == #"name="n" Content-Type: a/b Content-ID: <1> X-A: b"#)
    }

    @Test func `parts that cannot be sent are refused with index and name`() throws {
        let url = try #require(Self.web)
        let table: [(MultipartFormData, NetworkError.Kind, String)] = [
            (MultipartFormData(provider: .file(url), name: "web"), .invalidRequest, "\"web\" is not a file URL"),
            (MultipartFormData(provider: .data(Data()), name: ""), .invalidRequest, "has no name"),
            (
                MultipartFormData(provider: .data(Data()), name: "t", mimeType: "a\r\nX: y"), .invalidRequest,
                "content type"
            ),
            (MultipartFormData(provider: .data(Data()), name: "t", mimeType: "text"), .invalidRequest, "content type"),
            (
                MultipartFormData(provider: .data(Data()), name: "t", mimeType: "a/b;\r\nX: y"), .invalidRequest,
                "content type"
            ),
            (
                MultipartFormData(provider: .data(Data()), name: "t", headers: ["X": "a\r\nY: b"]), .invalidRequest,
                "header"
            ),
            (MultipartFormData(provider: .data(Data()), name: "t", headers: ["X Y": "a"]), .invalidRequest, "header"),
            (
                MultipartFormData(provider: .data(Data()), name: "t", headers: ["content-type": "a/b"]),
                .invalidRequest,
                "Content-Type"
            ),
        ]
        for (part, kind, word) in table {
            let error = #expect(throws: NetworkError.self) { try MultipartEncoder().encode([Self.good, part]) }
            #expect(error?.kind == kind)
            #expect(error?.reason.hasPrefix("part 2 ") == true && error?.reason.contains(word) == true)
            #expect(error?.reason.contains("secret") == false)
        }
    }

    @Test func `a form without parts is refused`() {
        let error = #expect(throws: NetworkError.self) { try MultipartEncoder().encode([]) }
        #expect(error?.kind == .invalidRequest)
    }

    @Test func `a small form is in memory, and one with a file or much data is a stream`() throws {
        let file = try temporaryFile("a.txt", "x")
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        let much = MultipartFormData(provider: .data(Data(count: 2 << 20)), name: "much")
        #expect(try MultipartEncoder().encode([Self.good]).data != nil)
        #expect(try MultipartEncoder().encode([MultipartFormData(provider: .file(file), name: "f")]).data == nil)
        #expect(try MultipartEncoder().encode([much]).data == nil)
    }

    @Test(arguments: [(Int64?.some(5), true), (nil, true), (5, false)])
    func `the length and the replayability of a form follow its parts`(
        _ length: Int64?,
        _ isReplayable: Bool
    ) async throws {
        let stream = BodyStream(length: length, isReplayable: isReplayable) {
            AsyncThrowingStream { pieces in
                pieces.yield(Data("ab".utf8))
                pieces.yield(Data("cde".utf8))
                pieces.finish()
            }
        }
        let live = MultipartFormData(provider: .stream(stream), name: "live", fileName: "a.log")
        let body = try MultipartEncoder { "B" }.encode([Self.good, live])
        #expect(body.content.isReplayable == isReplayable)
        let text = try await text(of: body)
        #expect(text.hasSuffix("filename=\"a.log\"\r\nContent-Type: text/plain\r\n\r\nabcde\r\n--B--\r\n"))
        #expect(body.stream?.length == length.map { _ in Int64(text.utf8.count) })
    }

    @Test func `a symbolic link is sent with the content of its target and its own name`() async throws {
        let file = try temporaryFile("real.txt", "content")
        let link = file.deletingLastPathComponent().appendingPathComponent("link.md")
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        #expect(
            try await head(of: MultipartFormData(provider: .file(link), name: "f"))
                == #"name="f"; filename="link.md" Content-Type: text/markdown"#
        )
    }

    /// The part's head after the disposition, on one line.
    private func head(of part: MultipartFormData) async throws -> String {
        let text = try await text(of: try MultipartEncoder { "B" }.encode([part]))
        let end = try #require(text.range(of: "\r\n\r\n"))
        return text[..<end.lowerBound].replacingOccurrences(of: "\r\n", with: " ")
            .replacingOccurrences(of: "--B Content-Disposition: form-data; ", with: "")
    }

    private func text(of body: MultipartEncoder.Body) async throws -> String {
        var bytes = body.data ?? Data()
        if let stream = body.stream { for try await piece in stream { bytes += piece } }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func temporaryFile(_ name: String, _ content: String) throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent(name)
        try Data(content.utf8).write(to: file)
        return file
    }
}

extension MultipartEncoder.Body {
    fileprivate var stream: BodyStream? {
        if case .stream(let stream) = content { stream } else { nil }
    }
}
