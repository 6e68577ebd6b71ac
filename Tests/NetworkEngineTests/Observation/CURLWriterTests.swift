import Foundation
import NetworkEngine
import NetworkEngineTesting
import TestSupport
import Testing

/// Runs commands with the system's cURL, and compares what a server receives.
@Suite(.timeLimit(.minutes(5))) struct CURLWriterTests {
    private static let isInstalled = Program.path(of: "curl") != nil && Program.path(of: "bash") != nil

    /// A request to a path of the server.
    struct Sample: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var method: HTTPMethod
        var path: String
        var headers: HTTPHeaders
        var body: RequestBody
        /// Whether the parser of commands reads the same request: not from pipes, and it resolves dots in addresses.
        var isSingle: Bool

        init(
            _ name: String, _ method: HTTPMethod = .post, path: String = "/x", headers: HTTPHeaders = [:],
            body: RequestBody = .none, isSingle: Bool = true
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

    /// What a server receives that depends on the request alone.
    private func summary(_ request: LoopbackRequest) -> [String] {
        let added = ["host", "user-agent", "accept", "content-length", "accept-encoding", "connection", "expect"]
        let headers = request.headers.filter { !added.contains($0.name.lowercased()) }
        return ["\(request.method) \(request.target)", request.body.base64EncodedString()]
            + headers.map { "\($0.name): \($0.value)" }
    }

    private func run(_ command: String) async throws {
        // A file, because the length of an argument is limited.
        let folder = try TemporaryFolder()
        let script = try folder.file("run.sh", command + " -sS --noproxy '*' -o /dev/null")
        let (status, output) = try await Program.run("bash", [script.path])
        #expect(status == 0, "\(output) \(command.prefix(2_000))")
    }

    private func received(by server: LoopbackServer, _ command: String) async throws -> [String] {
        let count = server.requests.count
        try await run(command)
        let requests = try await server.requests(atLeast: count + 1)
        return summary(try #require(requests.last))
    }

    private func bodyWithoutStream(_ request: HTTPRequest) async throws -> Data {
        guard case .stream(let stream) = request.body else { return request.body.data ?? Data() }
        return try await stream.reduce(Data(), +)
    }

    private func expected(_ request: HTTPRequest) async throws -> [String] {
        let body = try await bodyWithoutStream(request)
        let address = request.url.absoluteString.prefix { $0 != "#" }
        let target = address.dropFirst("http://".count).drop { $0 != "/" }
        return ["\(request.method) \(target)", body.base64EncodedString()]
            + request.headers.map { "\($0.name): \($0.wireValue.trimmingCharacters(in: .whitespaces))" }
    }

    @Test(.enabled(if: isInstalled, "curl or bash is not installed"), arguments: samples)
    func `the command sends what the request has, byte for byte`(sample: Sample) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let request = try sample.request(to: server.url)
        let received = try await received(by: server, request.curlCommand(redacting: false))
        let expected = try await expected(request)
        #expect(received == expected)
    }

    @Test(arguments: samples.filter(\.isSingle))
    func `the parser of commands reads the request back`(sample: Sample) throws {
        let url = try #require(URL(string: "https://api.test"))
        let request = try sample.request(to: url)
        let command = request.curlCommand(redacting: false)
        let parsed = try HTTPRequest(curl: command)
        #expect(parsed.method == request.method)
        #expect(parsed.url.absoluteString == String(request.url.absoluteString.prefix { $0 != "#" }))
        #expect(parsed.body.data == request.body.data, "\(command)")
        #expect(
            parsed.headers.map { "\($0.name): \($0.value)" }
                == request.headers.map { "\($0.name): \($0.wireValue.trimmingCharacters(in: .whitespaces))" },
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
            #expect(received == ["PUT /x", Self.allBytes.base64EncodedString(), "Content-Type: a/b"])
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
        #expect(received == expected)
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
