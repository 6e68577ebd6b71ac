import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineObservation
@testable import NetworkEngineTesting

/// Runs commands with the system's cURL, and compares the requests that a server receives.
@Suite(.timeLimit(.minutes(5))) struct CURLWriterTests {
    private static let isInstalled = Program.path(of: "curl") != nil && Program.path(of: "bash") != nil

    /// A request to a path of the server.
    struct Sample: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var method: HTTPMethod
        var path: String
        var headers: HTTPHeaders
        var body: RequestBody
        /// Whether the command parser reads the same request. It can't read pipes, and resolves dots in addresses.
        var isSingle: Bool

        init(
            _ name: String, _ method: HTTPMethod = .post, path: String = "/x", headers: HTTPHeaders = [:],
            body: RequestBody = .absent, isSingle: Bool = true
        ) {
            testDescription = name
            (self.method, self.path, self.headers, self.body, self.isSingle) = (method, path, headers, body, isSingle)
        }

        func request(to url: URL) throws -> HTTPRequest {
            let address = try #require(URL(string: url.absoluteString + path))
            return HTTPRequest(method: method, url: address, headers: headers, body: body)
        }
    }

    private static func text(_ text: String) -> RequestBody { .data(Data(text.utf8)) }
    private static let allBytes = Data((0...255).map { UInt8($0) })

    static let samples = [
        Sample("GET", .get), Sample("HEAD", .head), Sample("DELETE", .delete),
        Sample("an own method", HTTPMethod(rawValue: "PROP!FIND")), Sample("POST without a body"),
        Sample("GET with a body", .get, body: text("a=1")),
        Sample("an empty body", .put, body: text("")), Sample("text", body: text("a=1&b=2")),
        Sample("quotes", body: text(#"it's "quoted" \ and `ticked` $HOME $(id) !x %s \n"#)),
        Sample("an at sign first", body: text("@/etc/passwd")), Sample("a hyphen first", body: text("-X DELETE")),
        Sample("unicode", body: text("žluťoučký 👩‍👩‍👧 \u{301} \u{2028}")),
        Sample("a combining mark first", body: text("\u{301}x")),
        Sample("line breaks", body: text("a\r\nb\n\n\tc\r")),
        Sample("control characters", body: text("\u{1}\u{7F}!'\\\u{1B}[1m4")),
        Sample("an exclamation mark beside a line break", body: text("!!\n!x '!'")),
        Sample("every byte", body: .data(allBytes), isSingle: false),
        Sample("bytes that are not UTF-8", body: .data(Data([0x61, 0xFF, 0xC3])), isSingle: false),
        Sample("a long text", body: text(String(repeating: "it's long\r\n", count: 30_000)), isSingle: false),
        Sample("long bytes", body: .data(Data(repeating: 0xFF, count: 300_000)), isSingle: false),
        Sample("JSON", headers: ["Content-Type": "application/json"], body: text(#"{"a": "it's", "b": "\u00e9\n"}"#)),
        Sample(
            "headers", .get,
            headers: [
                "X-Empty": "", "X-Blank": " ", "X-Quote": #"it's "x" \ $y"#, "X-A": "1", "x-a": "2", "X-Colon": ": :",
            ]),
        Sample("brackets and braces in the address", .get, path: "/%5Bx%5D?a[]=1&b={x,y}&c=[1-3]"),
        Sample("dots in the address", .get, path: "/a/./b/../c?d=/../", isSingle: false),
        Sample("a query with everything", .get, path: "/x?a='b'&c=%20+%22&d=$e;f&g=!h*(i)"),
        Sample("a fragment", .get, path: "/x?a=1#secret"),
    ]

    /// The parts that a server receives and that depend only on the request.
    private func summary(_ request: LoopbackRequest) -> [String] {
        let added = ["host", "user-agent", "accept", "accept-encoding", "accept-language", "connection", "expect"]
        let headers = request.headers.filter { !added.contains($0.name.lowercased()) }
        return ["\(request.method) \(request.target)", request.body.base64EncodedString()]
            + headers.map { "\($0.name): \($0.value)" }
    }

    private func run(_ command: String, by shell: String) async throws {
        // A file, because arguments have a limited length.
        let folder = try TemporaryFolder()
        let script = try folder.file("run.sh", command + " -sS --noproxy '*' -o /dev/null")
        let (status, output) = try await Program.run(shell, [script.path])
        #expect(status == 0, "\(output) \(command.prefix(2_000))")
    }

    private func received(
        by server: LoopbackServer,
        _ command: String,
        from shell: String = "bash"
    ) async throws -> [String] {
        let count = server.requests.count
        try await run(command, by: shell)
        let requests = try await server.requests(atLeast: count + 1)
        return summary(try #require(requests.last))
    }

    @Test(
        .disabled(if: ThreadSanitizer.isWatching, "runs on one thread"), arguments: ["x", "it's ", "\u{1B}", "a\r\n"])
    func `the time for a command grows with its body, not with the square of it`(piece: String) throws {
        let url = try #require(URL(string: "https://api.example.com"))
        let growth = growthOfTime(from: 32 << 10) { length in
            let body = Self.text(String(repeating: piece, count: length / piece.utf8.count))
            let request = HTTPRequest(method: .post, url: url, body: body)
            return { _ = request.curlCommand(redacting: false) }
        }
        #expect(growth < 32)
    }

    private func bodyWithoutStream(_ request: HTTPRequest) async throws -> Data {
        guard case .stream(let stream) = request.body else { return request.body.data ?? Data() }
        return try await stream.reduce(Data(), +)
    }

    private func expected(_ request: HTTPRequest) async throws -> [String] {
        let body = try await bodyWithoutStream(request)
        let address = request.url.absoluteString.prefix { $0 != "#" }
        let target = address.dropFirst("http://".count).drop { $0 != "/" }
        var lines = ["\(request.method) \(target)", body.base64EncodedString()]
        lines += request.headers.map { "\($0.name): \($0.wireValue.trimmingCharacters(in: .whitespaces))" }
        if !request.body.isAbsent {
            if !request.headers.contains("Content-Type") { lines.append("Content-Type: application/octet-stream") }
            lines.append("Content-Length: \(body.count)")
        } else if request.method == .post {
            lines.append("Content-Length: 0")
        }
        return lines
    }

    @Test(
        .enabled(if: isInstalled && Program.path(of: "dash") != nil, "curl, bash or dash is not installed"),
        arguments: samples, ["bash", "dash"])
    func `the command sends what a transport sends, byte for byte`(sample: Sample, shell: String) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let request = try sample.request(to: server.url)
        let received = try await received(by: server, request.curlCommand(redacting: false), from: shell)
        let expected = try await expected(request)
        #expect(Set(received) == Set(expected) && received.prefix(2) == expected.prefix(2))
        guard sample.method == .post || sample.method == .put, !sample.path.contains("#") else { return }
        _ = try await URLSessionTransport().send(request, context: TransportContext())
        let sent = summary(try #require(try await server.requests(atLeast: 2).last))
        #expect(Set(sent.map { $0.lowercased() }) == Set(received.map { $0.lowercased() }))
    }

    /// Text that a server can choose, such as an `ETag` that is sent back in `If-None-Match`.
    private static func hostile(_ count: Int) -> [String] {
        let scalars: [Unicode.Scalar] = [
            "'", "'", "\u{301}", "\u{FE0F}", "\u{200D}", "\\", "$", "`", "!", "\"", "\n", "\t", "\r", "\u{1B}",
            "\u{85}",
            "\u{9B}", "\u{7F}", "a", "é", "\u{1F469}", "%", "(", ")", ";", "&", "|", " ", "\u{2028}", "\u{202E}", "~",
            "#",
            "*", "{", "0", "7",
        ]
        var random = SeededGenerator(seed: 11)
        return (0..<count).map { _ in
            var text = "".unicodeScalars
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                if let scalar = scalars.randomElement(using: &random) { text.append(scalar) }
            }
            return String(text)
        }
    }

    @Test(
        .enabled(if: isInstalled && Program.path(of: "dash") != nil, "bash or dash is not installed"),
        arguments: ["bash", "dash"])
    func `any text is one word of a shell`(shell: String) async throws {
        let texts = ["'\u{301};touch /tmp/x;'\u{301}", "'\u{FE0F}$(id)"] + Self.hostile(400)
        let commands = texts.map { text in
            let request = HTTPRequest.example(.post, headers: ["Content-Type": "a/b"], body: .data(Data(text.utf8)))
            let command = request.curlCommand(redacting: false)
            let word = command.components(separatedBy: "--data-raw ").last ?? ""
            #expect(!command.utf8.contains { $0 < 0x20 && $0 != 0x0A })
            return "printf '%s\\0' " + word
        }
        let folder = try TemporaryFolder()
        let script = try folder.file("run.sh", "{\n\(commands.joined(separator: "\n"))\n} | base64 -w0")
        let (status, output) = try await Program.run(shell, [script.path])
        #expect(status == 0)
        let words = try #require(Data(base64Encoded: output)).split(separator: 0, omittingEmptySubsequences: false)
        for (text, word) in zip(texts, words) { #expect(word == Data(text.utf8), "\(text)") }
        #expect(words.count == texts.count + 1)
    }

    @Test func `the parser of commands reads any text back`() throws {
        for text in Self.hostile(1_000) {
            let request = HTTPRequest.example(.post, headers: ["Content-Type": "a/b"], body: .data(Data(text.utf8)))
            let parsed = try HTTPRequest(curl: request.curlCommand(redacting: false))
            #expect(parsed.body.data == Data(text.utf8))
        }
    }

    @Test(arguments: samples.filter(\.isSingle))
    func `the parser of commands reads the request back`(sample: Sample) throws {
        let url = try #require(URL(string: "https://api.test"))
        let request = try sample.request(to: url)
        let command = request.curlCommand(redacting: false)
        let parsed = try HTTPRequest(curl: command)
        var headers = request.headers
        if !request.body.isAbsent, !headers.contains("Content-Type") {
            headers.add("application/octet-stream", for: "Content-Type")
        }
        #expect(parsed.method == request.method)
        #expect(parsed.url.absoluteString == String(request.url.absoluteString.prefix { $0 != "#" }))
        #expect(parsed.body.data == request.body.data, "\(command)")
        #expect(
            parsed.headers.map { "\($0.name): \($0.value)" }
                == headers.map { "\($0.name): \($0.wireValue.trimmingCharacters(in: .whitespaces))" },
            "\(command)")
    }

    @Test(.enabled(if: isInstalled, "curl or bash is not installed"))
    func `a body in a file is read from the file`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("it's a file.bin")
        try Self.allBytes.write(to: file)
        let server = try LoopbackServer { _ in .text("ok") }
        let request = server.request("x", method: .put, headers: ["Content-Type": "a/b"], body: .file(file))
        for command in [request.curlCommand(redacting: false), request.curlCommand()] {
            let received = try await received(by: server, command)
            #expect(received.prefix(3) == ["PUT /x", Self.allBytes.base64EncodedString(), "Content-Type: a/b"])
        }
        guard case .file(let parsed) = try HTTPRequest(curl: request.curlCommand()).body else {
            throw CocoaError(.fileReadUnknown)
        }
        #expect(parsed.path == file.path)
    }

    @Test(.enabled(if: isInstalled, "curl or bash is not installed"), arguments: [false, true])
    func `a multipart body arrives with its files`(redacting: Bool) async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.bin")
        try Self.allBytes.write(to: file)
        let parts: [MultipartFormData] = [
            .text("it's\r\n-- text", name: "note"), .init(provider: .file(file), name: "f"),
            .init(provider: .data(Self.allBytes), name: "d", fileName: "d.bin"),
        ]
        let body = try MultipartEncoder(boundary: { "boundary" }).encode(parts)
        let server = try LoopbackServer { _ in .text("ok") }
        let headers: HTTPHeaders = ["Content-Type": body.contentType]
        let request = server.request("x", method: .post, headers: headers, body: body.content)
        let received = try await received(by: server, request.curlCommand(redacting: redacting))
        let expected = try await expected(request)
        #expect(Set(received) == Set(expected))
    }

    @Test func `secrets are redacted unless they are asked for`() {
        let request = HTTPRequest.example(
            .post, "/x?api_key=CANARY1",
            headers: ["Authorization": "Bearer CANARY2", "Content-Type": "application/json"],
            body: .data(Data(#"{"password": "CANARY3"}"#.utf8)))
        let command = request.curlCommand()
        #expect(!command.contains("CANARY") && command.contains("'Authorization: <redacted>'"), "\(command)")
        let whole = request.curlCommand(redacting: false)
        for number in 1...3 { #expect(whole.contains("CANARY\(number)")) }
    }

    @Test func `a stream without segments comes from the standard input`() {
        let stream = BodyStream(length: nil, isReplayable: false) { .init { $0.finish() } }
        let command = HTTPRequest.example(.post, body: .stream(stream)).curlCommand()
        #expect(command.hasSuffix("--data-binary @-"))
    }
}
