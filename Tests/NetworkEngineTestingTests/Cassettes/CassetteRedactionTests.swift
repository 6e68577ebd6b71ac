import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineObservation
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct CassetteRedactionTests {
    private static let form: HTTPHeaders = ["Content-Type": "application/x-www-form-urlencoded"]

    private static func multipart() throws -> Endpoint {
        let parts = [
            MultipartFormData(provider: .data(Data("hush-7".utf8)), name: "password"),
            MultipartFormData(provider: .data(Data("Ada".utf8)), name: "name"),
        ]
        let body = try MultipartEncoder().encode(parts)
        return try .post("/a", headers: ["Content-Type": body.contentType]).body(#require(body.data))
    }

    @Test(arguments: [
        Endpoint.get("/a", headers: ["Authorization": "Bearer hush-7", "X-Api-Key": "hush-7", "Cookie": "a=hush-7"]),
        .get("/a?api_key=hush-7&name=Ada"), .get("/a?access%5Ftoken=hush-7"),
        .get("/a", headers: ["Referer": "/x?token=hush-7"]),
        .post("/a", headers: form).body(Data("password=hush-7&name=Ada".utf8)),
        .post("/a").body(Data(#"{"user": {"password": "hush-7"}, "tokens": ["hush-7", {"x": "hush-7"}]}"#.utf8)),
        .post("/a").body(Data(#"{"password": "hush-7"#.utf8)),
        .get("/echo/hush-7", headers: ["Authorization": "Bearer hush-7"]),
        .get(
            "/a",
            headers: ["Authorization": "Basic " + Data("ada:hush-7".utf8).base64EncodedString(), "X-Note": "hush-7"]),
        .get("/a?customer=hush-7"), .get("/a", headers: ["X-Customer": "hush-7"]), .get("/known-value"),
    ])
    func `values of secret names, and known secrets anywhere, are in no file`(endpoint: Endpoint) async throws {
        try await #expect(!recording(of: endpoint, answer: "ok").contains("hush"))
    }

    @Test func `a secret multipart field is in no file, and its neighbor is`() async throws {
        let text = try await recording(of: Self.multipart(), answer: "ok")
        #expect(!text.contains("hush") && text.contains("Ada"))
    }

    @Test(arguments: [
        #"{"access_token": "hush-7", "expires_in": 3600}"#, #"{"a": [{"session": {"id": "hush-7"}}]}"#,
        "data: {\"token\": \"hush-7\"}\n\n", #"{"refresh_token":"hush-7"}{"echo":"hush-7"}"#,
    ])
    func `a secret in a response is in no file`(body: String) async throws {
        let text = try await recording(of: .get("/a"), answer: body)
        #expect(!text.contains("hush") && text.contains("redacted"))
    }

    @Test func `a secret after a body is in no file, and its neighbor is`() async throws {
        let studio = try Studio()
        let fields: HTTPHeaders = ["X-Auth-Token": "hush-7", "X-Note": "for hush-7", "X-Sum": "5"]
        let mock = MockTransport(.text("ok").trailers(fields))
        _ = await Studio.hear(Studio.client(try studio.cassette(), mock))
        let text = try studio.text
        #expect(!text.contains("hush") && text.contains("_trailers"))
        let response = try await Studio.client(try studio.cassette(.none)).send(.get("/"))
        #expect(response.trailers?["X-Sum"] == "5" && response.trailers?["X-Note"] == "for <redacted>")
    }

    private static let webToken = "eyJhbGciOiJub25lIn0.aHVzaC03aHVzaA.x"

    @Test(arguments: [
        ("application/json", #"{"payload": "{\"password\": \"hush-7\", \"a\": \"{\\\"otp\\\":\\\"hush-7\\\"}\"}"}"#),
        ("application/json", #"{"jwt_free_name": "eyJhbGciOiJub25lIn0.hush7hush7hush.x"}"#),
        ("application/json", #"{"next": "https://a.test/x?ticket=hush-7&page=2"}"#),
        ("application/xml", "<a><ns:Password kind='x'>hush-7</ns:Password><b token=\"hush-7\"/></a>"),
        ("text/xml", "<session><id>hush-7</id><![CDATA[hush-7]]></session>"),
        ("application/soap+xml", "<Attribute Name=\"otp\"><Value>hush-7</Value></Attribute>"),
        ("text/xml", "<dict><key>password</key><string>hush-7</string></dict>"),
        ("text/html", "<form><input type=hidden name=SAMLResponse value='hush-7'><p>text</p></form>"),
        ("text/plain", "hush7hush7hush7hush7hush"), ("text/plain", "a: b\r\npassword: hush 7 hush\r\nc: d"),
        ("text/plain", "api_key=hush-7 and Bearer hush-7"), ("text/plain", "see https://a.test/?sig=hush-7 there"),
        ("text/plain", "eyJhbGciOiJub25lIn0.hush7hush7hush.x"),
        ("application/octet-stream", "eyJhbGciOiJub25lIn0.hush7hush.x"),
    ])
    func `a secret in a body of any form is in no file`(type: String, body: String) async throws {
        let text = try await recording(of: .get("/a"), answer: body, headers: ["Content-Type": type])
        #expect(!text.contains("hush"), "\(text)")
        let sent = try await recording(
            of: .post("/a", headers: ["Content-Type": type]).body(Data(body.utf8)), answer: "")
        #expect(!sent.contains("hush"), "\(sent)")
    }

    @Test(arguments: [
        ("application/xml", "<a id='1'><!-- b --><name>Ada</name><c/>text &amp; more</a>"),
        ("text/html", "<p>unclosed <br>"),
        ("text/plain", "Hello, world: it is 2026-01-01T00:00:00.000Z = now"),
        ("application/json", #"{"name": "Ada", "list": "[1, 2]", "id": "0b8f4a6e-6f0e-4a3b-9a55-2f1c3f1d9c11"}"#),
        ("application/json", #"{"ticket": {"id": 7, "subject": "help"}}"#),
    ])
    func `a body without secrets stays byte for byte`(type: String, body: String) async throws {
        let studio = try Studio()
        let mock = MockTransport(.status(200, headers: ["Content-Type": type], body: body))
        _ = await Studio.hear(Studio.client(try studio.cassette(), mock))
        #expect(try await Studio.hear(Studio.client(try studio.cassette(.none))).get() == body)
    }

    @Test(.enabled(if: RequestCompression.isAvailable), arguments: ["gzip", "deflate"])
    func `a secret in a compressed body is in no file, and its neighbors are`(coding: String) async throws {
        let studio = try Studio()
        let plain = #"{"password": "hush-7", "name": "Ada", "echo": "hush-7"}"#
        let deflater = try #require(Deflater(coding == "gzip" ? .gzip : .zlib))
        let body = try deflater.deflate(Data(plain.utf8)) + deflater.finish()
        let headers: HTTPHeaders = ["Content-Type": "application/json", "Content-Encoding": coding]
        let mock = MockTransport(.data(body, headers: headers))
        let endpoint = Endpoint.post("/a", headers: headers).body(body)
        _ = try await Studio.client(try studio.cassette(), mock).request(endpoint) as Data
        let entry = try #require(try HARFile(Data(contentsOf: studio.file)).log.entries.first)
        for data in [entry.request.postData?.data, entry.response.content.data] {
            let text = try BodyCoding.plain(#require(data), coding: coding).map { String(decoding: $0, as: UTF8.self) }
            #expect(text == #"{"password": "<redacted>", "name": "Ada", "echo": "<redacted>"}"#)
        }
        let player = try studio.cassette(.none) { $0.matching.parts.insert(.body) }
        _ = try await Studio.client(player).request(endpoint) as Data
    }

    @Test(arguments: ["zstd", "br", "gzip", "deflate, gzip"])
    func `a body that cannot be read in its coding fails the exchange, and is in no file`(coding: String) async throws {
        let studio = try Studio()
        let body = Data([0x28, 0xB5, 0x2F, 0xFD]) + Data(#"{"password":"hush-7"}"#.utf8)
        let headers: HTTPHeaders = ["Content-Type": "application/json", "Content-Encoding": coding]
        let live = MockTransport(.data(body, headers: headers), .text("ok"))
        let client = Studio.client(try studio.cassette(), live)
        for endpoint in [Endpoint.get("/a"), .post("/a", headers: headers).body(body)] {
            let error = await Studio.hear(client, endpoint).error
            #expect(error?.reason.contains("cannot record the body of the re") == true)
        }
        #expect(try await Studio.hear(client, .get("/b")).get() == "ok")
        let entries = try HARFile(Data(contentsOf: studio.file)).log.entries
        #expect(entries.map(\.request.url) == ["https://api.test/b"] && live.requests.count == 2)
    }

    @Test func `only its owner can read a cassette`() async throws {
        let studio = try Studio()
        for mode in [CassetteMode.once, .newEpisodes] {
            _ = await Studio.hear(
                Studio.client(try studio.cassette(mode), MockTransport(.status(200))),
                .get("/\(String(describing: mode))"))
            let attributes = try FileManager.default.attributesOfItem(atPath: studio.file.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let folder = studio.file.deletingLastPathComponent().path
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["tape.har"])
        }
    }

    @Test func `unknown values are distinguished without being written`() async throws {
        let studio = try Studio()
        let client = Studio.client(
            try studio.cassette(), MockTransport(.status(200, body: "a"), .status(200, body: "b")))
        for query in ["customer=hush-1&page=2", "customer=hush-2&page=2"] {
            _ = await Studio.hear(client, .get("/?" + query))
        }
        let text = try studio.text
        #expect(!text.contains("hush") && text.contains("page=2"))
        let player = Studio.client(try studio.cassette(.none))
        #expect(try await Studio.hear(player, .get("/?customer=hush-2&page=2")).get() == "b")
        #expect(try await Studio.hear(player, .get("/?customer=hush-1&page=2")).get() == "a")
        #expect(await Studio.hear(player, .get("/?customer=hush-3&page=2")).error != nil)
    }

    @Test func `a redirect that was recorded without secrets is followed`() async throws {
        let studio = try Studio()
        let mock = MockTransport(
            .status(302, headers: ["Location": "/b?state=hush-7&code=hush-7"]), .status(200, body: "there"))
        for client in [Studio.client(try studio.cassette(), mock)] {
            #expect(try await Studio.hear(client, .get("/a")).get() == "there")
        }
        #expect(try await Studio.hear(Studio.client(try studio.cassette(.none)), .get("/a")).get() == "there")
        #expect(try !studio.text.contains("hush"))
    }

    @Test func `an address keeps the slash before a path that is secret`() async throws {
        let studio = try Studio()
        let login = #"{"session": {"href": "/sessions/1234567"}}"#
        let client = Studio.client(try studio.cassette(), MockTransport(.json(login), .text("found")))
        for path in ["/login", "/sessions/1234567"] { _ = try await Studio.hear(client, .get(path)).get() }
        let entries = try HARFile(Data(contentsOf: studio.file)).log.entries
        #expect(entries.map(\.request.url) == ["https://api.test/login", "https://api.test/%3Credacted%3E"])
        let player = Studio.client(try studio.cassette(.none))
        #expect(try await Studio.hear(player, .get("/%3Credacted%3E")).get() == "found")
    }

    @Test func `an older cassette with unknown values is played`() async throws {
        let studio = try Studio()
        let entry =
            #"{"request": {"method": "GET", "url": "https://api.test/a?customer=c&token=t"}, "response": {"status": 204}}"#
        try studio.write(#"{"log": {"entries": [\#(entry)]}}"#)
        let player = Studio.client(try studio.cassette(.none))
        #expect(try await player.send(.get("/a?customer=c&token=other")).statusCode == 204)
    }

    @Test func `secret response headers are in no file`() async throws {
        let headers: HTTPHeaders = ["Set-Cookie": "a=hush-7; Path=/", "Location": "/x?code=hush-7#access_token=hush-7"]
        let text = try await recording(of: .get("/a"), answer: "ok", headers: headers)
        #expect(!text.contains("hush") && text.contains("Location"))
    }

    @Test func `a value that becomes secret is removed from earlier episodes`() async throws {
        let studio = try Studio()
        let client = Studio.client(
            try studio.cassette(), MockTransport(.status(200, body: "hush-7 is the id").repeating()))
        _ = await Studio.hear(client, .get("/a"))
        _ = await Studio.hear(client, .get("/b").bearer("hush-7"))
        #expect(try !studio.text.contains("hush"))
    }

    @Test func `redaction keeps numbers and structure`() async throws {
        struct Login: Decodable, Sendable {
            var token: String; var pin: Int; var session: [String: Bool]; var name: String
        }
        let studio = try Studio()
        let body = #"{"token": "hush-7", "pin": 1234, "session": {"ok": true}, "name": "Ada"}"#
        _ = await Studio.hear(Studio.client(try studio.cassette(), MockTransport(.json(body))))
        let login: Login = try await Studio.client(try studio.cassette(.none)).request(.get("/"))
        #expect(login.token == "<redacted>" && login.pin == 0 && login.session == ["ok": true] && login.name == "Ada")
    }

    @Test func `the caller gets the unredacted response, and another secret matches on playback`() async throws {
        let studio = try Studio()
        let mock = MockTransport(.json(#"{"token": "hush-7"}"#))
        let first = try await Studio.hear(Studio.client(try studio.cassette(), mock), .get("/a?token=hush-7")).get()
        #expect(first.contains("hush-7") && mock.requests.first?.url.query == "token=hush-7")
        let second = await Studio.hear(Studio.client(try studio.cassette(.none)), .get("/a?token=other"))
        #expect(try second.get() == #"{"token": "<redacted>"}"#)
    }

    @Test func `a key that an interceptor puts into the query is not compared, whatever its name`() async throws {
        let studio = try Studio()
        func client(_ key: String, _ mode: CassetteMode) throws -> HTTPClient {
            var configuration = NetworkConfiguration()
            configuration.transport = try studio.cassette(mode).transport(over: MockTransport(.text("sunny")))
            let auth = APIKeyAuth(key: key, in: .query("appid"))
            return HTTPClient(
                baseURL: try "https://api.test".url, interceptors: [auth], configuration: configuration)
        }
        _ = try await client("the-real-key-123", .all).send(.get("/a?page=1"))
        let played = try await client("no-key-in-ci", .none).send(.get("/a?page=1"))
        #expect(played.body.data == Data("sunny".utf8))
        #expect(try studio.text.contains("page=1&appid=%3Credacted%3E"))
    }

    @Test func `the code of a failure is shown, and the code of a login is secret`() async throws {
        let failure = #"{"errors": [{"code": "FORBIDDEN"}]}"#
        let text = try await recording(of: .post("/a").body(Data(#"{"code": "hush-7"}"#.utf8)), answer: failure)
        #expect(text.contains("FORBIDDEN") && !text.contains("hush"))
    }

    @Test func `a name that only looks secret can be kept`() async throws {
        let text = try await recording(of: .get("/a?session_count=seven"), answer: "ok") {
            $0.harmlessNames = ["Session_Count"]
        }
        #expect(text.contains("seven"))
    }

    private func recording(
        of endpoint: Endpoint,
        answer: String,
        headers: HTTPHeaders = [:],
        _ change: (inout CassetteOptions) -> Void = { _ in }
    ) async throws -> String {
        let studio = try Studio()
        let cassette = try studio.cassette {
            $0.secretHeaders = ["x-customer"]
            $0.secretParameters = ["Customer"]
            $0.secretValues = ["known-value"]
            change(&$0)
        }
        let mock = MockTransport(.status(200, headers: headers, body: answer))
        _ = try await Studio.hear(Studio.client(cassette, mock), endpoint).get()
        let text = try studio.text
        #expect(!text.contains("known-value"))
        return text
    }
}
