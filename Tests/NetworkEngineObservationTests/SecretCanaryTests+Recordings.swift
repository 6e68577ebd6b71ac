import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineObservation
@testable import NetworkEngineTesting

/// Searches all output that people read: logs, archives, timelines and commands.
extension SecretCanaryTests {
    /// A message with the secret, in a place that its sender declares secret.
    struct Message: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var type: String?
        var headers: HTTPHeaders = [:]
        var body = Data()

        init(_ name: String, type: String? = nil, headers: HTTPHeaders = [:], _ text: String = "") {
            (testDescription, self.type, self.headers, body) = (name, type, headers, Data(text.utf8))
            if let type { self.headers["Content-Type"] = type }
        }
    }

    private static let json = "application/json"

    static let messages: [Message] = [
        Message(
            "JSON", type: json,
            #"{"access_token": "\#(canary)", "n": {"password": ["\#(canary)", {"a": "\#(canary)"}]}}"#),
        Message("JSON in JSON", type: json, #"{"body": "{\"client_secret\": \"\#(canary)\"}"}"#),
        Message("JSON as text", type: "text/plain", #"[{"jwt": "\#(webToken)"}]"#),
        Message("JSON without a type", #"{"password": "\#(canary)"}"#),
        Message("GraphQL variables", type: json, #"{"query": "mutation", "variables": {"password": "\#(canary)"}}"#),
        Message(
            "GraphQL errors", type: json,
            #"{"data": null, "errors": [{"message": "no", "extensions": {"sessionToken": "\#(canary)"}}]}"#),
        Message("form", type: "application/x-www-form-urlencoded", "grant_type=password&password=\(canary)"),
        Message("XML", type: "application/xml", "<a><password>\(canary)</password><b token='\(canary)'/></a>"),
        Message("HTML", type: "text/html", "<input name='csrf_token' value='\(canary)'>"),
        Message("text", type: "text/plain", "password: \(canary)\nAuthorization: Bearer \(canary)\ntoken=\(canary)"),
        Message(
            "multipart", type: "multipart/form-data; boundary=b",
            "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\(canary)\r\n--b\r\n"
                + "Content-Disposition: form-data; name=\"j\"\r\nContent-Type: application/json\r\n\r\n"
                + "{\"token\": \"\(canary)\"}\r\n--b--\r\n"),
        Message(
            "multipart in other forms", type: "multipart/form-data; x=\"boundary=a\"; Boundary=\"b\"",
            "--b\nContent-Disposition: form-data; filename=\"a.txt\"; name=\"password\"\n\n\(canary)\n"
                + "--b\r\ncontent-disposition: form-data; NAME=password\r\nX-Token: \(canary)\r\n\r\n\(canary)\r\n"
                + "--b\r\nContent-Disposition: form-data;\r\n name=\"password\"\r\n\r\n\(canary)\r\n"
                + "--b\nContent-Disposition: form-data; filename=a,b.txt; name=\"password\"\n\r\n\(canary)\n"
                + "--b\nContent-Disposition: form-data; filename=\"a\u{2028}b\"; name=\"password\"\n\n\(canary)\n"
                + "--b\nContent-Disposition: form-data; name*=utf-8''pass%77ord\n\n\(canary)\n"
                + "--b\nX-Content-Type: text/plain\nContent-Type: application/json\n\n{\"token\": \"\(canary)\"}\n--b--"
        ),
        Message("JSON5", type: json, "{password: '\(canary)', 'token': ['\(canary)'], // don't\n\"jwt\": '\(canary)'}"),
        Message("GraphQL", type: "application/graphql", "mutation { signIn(password: \"\(canary)\") { name } }"),
        Message(
            "a property list", type: "application/x-plist", "<plist><key>password</key><string>\(canary)</string>"),
        Message("a line that begins with a tag", type: "text/plain", "<34>Oct 11 start\npassword: \(canary)"),
        Message("JSON behind a tag", type: "text/plain", "<info>\n{\"password\": \"\(canary)\"}"),
        Message("numbers alone", type: json, "{pin: 1, password: 0x\(canary.count)}"),
        Message(
            "a block string", type: json,
            #"{"query": "mutation { signIn(password: \"\"\"\#(canary)\"\"\") { name } }"}"#),
        Message("XML as text", type: "text/plain", "<a><password>\(canary)</password></a>"),
        Message(
            "an address in JSON", type: json,
            #"{"next": "https://a.test/?sig=\#(canary)", "last": "https://u:\#(canary)@a.test/"}"#),
        Message("a value behind its label", type: json, #"[{"key": "api_key", "value": "\#(canary)"}]"#),
        Message(
            "fields in a string", type: json, #"{"sent": "GET /\nAuthorization: Bearer \#(canary)\nHost: a"}"#),
        Message("JSON in a field", type: "application/x-www-form-urlencoded", #"a={"password":"\#(canary)"}"#),
        Message(
            "lists in GraphQL", type: json, #"{"query": "mutation { a(tokens: [\"b\", \"\#(canary)\"]) }"}"#),
        Message("a script", type: "text/html", "<script>var token = \"\(canary)\"</script>"),
        Message("cookies", headers: ["Set-Cookie": "a=\(canary); Path=/", "Cookie": "b=\(canary)"]),
        Message(
            "challenges",
            headers: [
                "WWW-Authenticate": "Negotiate \(canary)", "Proxy-Authenticate": "Bearer token=\"\(canary)\"",
                "Authentication-Info": "nextnonce=\(canary)",
            ]),
        Message(
            "addresses",
            headers: [
                "Location": "https://u:\(canary)@a.test/?state=\(canary)#access_token=\(canary)",
                "Link": "<https://a.test/?cursor=\(canary)>; rel=next", "Refresh": "5; url=/x?token=\(canary)",
            ]),
        Message("own headers", headers: ["X-Api-Key": canary, "X-Session-Token": canary, "X-Echo": webToken]),
    ]

    /// All texts that people read after a call.
    private func surfaces(_ calls: [PlayedCall], bodyLimit: Int = 1 << 16) throws -> [(name: String, text: String)] {
        let (recorder, report) = (HARRecorder(bodyLimit: bodyLimit), TimelineReport(bodyLimit: bodyLimit))
        let log = Locked("")
        var loggers = RequestLogger.Level.allCases.map { level in
            RequestLogger(level: level) { message in log.withLock { $0 += message + "\n" } }
        }
        for index in loggers.indices { loggers[index].bodyLimit = bodyLimit }
        for call in calls {
            call.play(to: recorder, report)
            for logger in loggers { call.play(to: logger) }
        }
        let folder = try TemporaryFolder()
        let files = (folder.url.appendingPathComponent("a.har"), folder.url.appendingPathComponent("a.html"))
        try recorder.write(to: files.0)
        try report.write(to: files.1)
        let requests = calls.flatMap(\.events).compactMap { event in
            if case .exchangeStarted(let request) = event.kind { request } else { nil }
        }
        let events = calls.flatMap(\.events).map { event in
            var text = "\(event)"
            dump(event.kind, to: &text)
            return text
        }
        return [
            ("HAR", try String(contentsOf: files.0, encoding: .utf8)),
            ("timeline", try String(contentsOf: files.1, encoding: .utf8)), ("log", log.withLock { $0 }),
            ("curl", requests.map { $0.curlCommand() }.joined(separator: "\n")),
            ("events", events.joined(separator: "\n")),
        ]
    }

    private func expectNoSecret(_ surfaces: [(name: String, text: String)]) {
        let hidden = Data(Self.canary.utf8).base64EncodedString().prefix(12)
        for (name, text) in surfaces {
            let found = text.range(of: "CANARY") ?? text.range(of: hidden)
            let context = found.map { "\(text[..<$0.lowerBound].suffix(120))…\(text[$0.upperBound...].prefix(60))" }
            #expect(found == nil, "\(name): \(context ?? "")")
        }
    }

    @Test(arguments: messages) func `no log, archive, timeline or command shows the secret of a message`(
        message: Message
    ) throws {
        let request = HTTPRequest.example(.post, "/x", headers: message.headers, body: .data(message.body))
        let calls = [
            PlayedCall.simple(request, body: Data()),
            .simple(.example(), status: 403, headers: message.headers, body: message.body),
        ]
        // Each message separately, so that none helps to find the secret in another.
        for call in calls { expectNoSecret(try surfaces([call])) }
    }

    @Test(arguments: messages) func `a cut body shows no part of the secret`(message: Message) throws {
        guard let secret = String(decoding: message.body, as: UTF8.self).range(of: "CANARY") else { return }
        let text = String(decoding: message.body, as: UTF8.self)
        for extra in [7, 10] {
            let limit = text[..<secret.lowerBound].utf8.count + extra
            let request = HTTPRequest.example(.post, "/x", headers: message.headers, body: .data(message.body))
            let calls = [
                PlayedCall.simple(request, headers: message.headers, body: message.body)
            ]
            expectNoSecret(try surfaces(calls, bodyLimit: limit))
        }
    }

    @Test func `compressed and foreign encodings show no secret`() throws {
        let text = #"{"password": "\#(Self.canary)", "name": "é"}"#
        let plain = Data(text.utf8)
        let deflater = try #require(Deflater(.gzip))
        let gzip = try deflater.deflate(plain) + deflater.finish()
        let latin = try #require(text.data(using: .isoLatin1))
        let type: HTTPHeaders = ["Content-Type": "application/json"]
        let coded = { (coding: String) in type.merging(["Content-Encoding": coding]) }
        let requests: [HTTPRequest] = [
            .example(.post, headers: coded("gzip"), body: .data(gzip)),
            .example(.post, headers: coded("br"), body: .data(plain)),
            .example(.post, headers: coded("br"), body: .data(latin)),
            .example(.post, headers: type, body: .data(latin)),
        ]
        for request in requests {
            let call = PlayedCall.simple(request, headers: request.headers, body: request.body.data ?? Data())
            for limit in [1 << 16, 30] {
                expectNoSecret(try surfaces([call], bodyLimit: limit))
            }
        }
    }

    @Test(arguments: places) func `no log, archive, timeline or command shows the secret of a request`(
        place: Place
    ) async throws {
        for answer in Self.answers {
            let client = HTTPClient(MockTransport(answer.repeating()), place.interceptors) {
                $0.secretNames = place.names
            }
            let failure = await #expect(throws: NetworkError.self) { try await client.send(place.endpoint) }
            let error = try #require(failure)
            let sent = try #require(error.request)
            var call = PlayedCall(sent)
            call.attempt(sent)
            if var response = error.response {
                // A server can write anything into a body. The other tests cover its names.
                response.body = .data(Data())
                call.exchange(sent, .success(response))
            } else {
                call.exchange(sent, .failure(error))
            }
            call.end(.failure(error))
            expectNoSecret(try surfaces([call]))
        }
    }

    @Test(arguments: NetworkErrorKind.allCases)
    func `no text of any kind of error shows the secret`(kind: NetworkErrorKind) throws {
        let secret = "https://u:\(Self.canary)@a.test/?anything=\(Self.canary)#\(Self.canary)"
        let url = try #require(URL(string: secret))
        let request = HTTPRequest(
            url: url, headers: ["Authorization": "Bearer \(Self.canary)", "Referer": secret, "X-Echo": Self.webToken])
        let response = HTTPResponse(
            statusCode: 500, headers: ["Location": secret, "Set-Cookie": "a=\(Self.canary)"], request: request)
        let cause = NetworkError(kind: .transport, reason: "at \(secret)", request: request)
        let error = NetworkError(
            kind: kind, reason: "with \(Self.webToken) at \(secret)", request: request, response: response,
            underlying: cause,
            attempts: [Attempt(number: 1, request: request.description, kind: kind)])
        for text in Self.texts(of: error) { #expect(!text.contains("CANARY"), "\(text)") }
        var call = PlayedCall(request)
        call.attempt(request)
        call.exchange(request, .failure(error))
        call.post(.reconnecting(.init(number: 1, delay: .seconds(1), reason: error.description)))
        call.post(.decoded(.init(typeName: "User", duration: .zero, error: error)))
        call.end(.failure(error))
        expectNoSecret(try surfaces([call]))
    }

    @Test func `a secret that one call names is removed from all of them`() throws {
        let login = HTTPRequest.example(
            .post, "/login", headers: ["Content-Type": "application/json"],
            body: .data(Data(#"{"password": "\#(Self.canary)"}"#.utf8)))
        let calls = [
            PlayedCall.simple(
                .example(.get, "/x/\(Self.canary)"), headers: ["Content-Type": "text/plain"],
                body: Data("echo \(Self.canary)".utf8)),
            .simple(login),
        ]
        expectNoSecret(try surfaces(calls).filter { $0.name == "HAR" || $0.name == "timeline" })
    }
}
