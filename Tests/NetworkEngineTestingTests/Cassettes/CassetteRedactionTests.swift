import Foundation
import NetworkEngine
import NetworkEngineTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct CassetteRedactionTests {
    private static let form: HTTPHeaders = ["Content-Type": "application/x-www-form-urlencoded"]

    private static func multipart() throws -> Endpoint {
        let parts = [
            MultipartFormData(provider: .data(Data("hush-7".utf8)), name: "password"),
            MultipartFormData(provider: .data(Data("Ada".utf8)), name: "name"),
        ]
        let body = try MultipartEncoder().encode(parts)
        return .post("/a", headers: ["Content-Type": body.contentType], body: body.data)
    }

    @Test(arguments: [
        Endpoint.get("/a", headers: ["Authorization": "Bearer hush-7", "X-Api-Key": "hush-7", "Cookie": "a=hush-7"]),
        .get("/a?api_key=hush-7&name=Ada"), .get("/a?access%5Ftoken=hush-7"),
        .get("/a", headers: ["Referer": "/x?token=hush-7"]),
        .post("/a", headers: form, body: Data("password=hush-7&name=Ada".utf8)),
        .post("/a", body: Data(#"{"user": {"password": "hush-7"}, "tokens": ["hush-7", {"x": "hush-7"}]}"#.utf8)),
        .post("/a", body: Data(#"{"password": "hush-7"#.utf8)),
        .get("/echo/hush-7", headers: ["Authorization": "Bearer hush-7"]),
        .get(
            "/a",
            headers: ["Authorization": "Basic " + Data("ada:hush-7".utf8).base64EncodedString(), "X-Note": "hush-7"]),
        .get("/a?customer=hush-7"), .get("/a", headers: ["X-Customer": "hush-7"]), .get("/known-value"),
    ])
    func `what is secret by its name, or anywhere once it is known, is in no file`(endpoint: Endpoint) async throws {
        try await #expect(!recording(of: endpoint, answer: "ok").contains("hush"))
    }

    @Test func `a multipart field that is secret is in no file, its neighbour is`() async throws {
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

    @Test func `headers of a response that are secret are in no file`() async throws {
        let headers: HTTPHeaders = ["Set-Cookie": "a=hush-7; Path=/", "Location": "/x?code=hush-7#access_token=hush-7"]
        let text = try await recording(of: .get("/a"), answer: "ok", headers: headers)
        #expect(!text.contains("hush") && text.contains("Location"))
    }

    @Test func `a value that turns out to be secret is taken out of what was recorded before`() async throws {
        let studio = try Studio()
        let client = Studio.client(
            try studio.cassette(), MockTransport(.status(200, body: "hush-7 is the id").repeating()))
        _ = await Studio.hear(client, .get("/a"))
        _ = await Studio.hear(client, .get("/b").bearer("hush-7"))
        #expect(try !studio.text.contains("hush"))
    }

    @Test func `numbers stay numbers and structure stays, so that it can be decoded`() async throws {
        struct Login: Decodable, Sendable {
            var token: String; var pin: Int; var session: [String: Bool]; var name: String
        }
        let studio = try Studio()
        let body = #"{"token": "hush-7", "pin": 1234, "session": {"ok": true}, "name": "Ada"}"#
        _ = await Studio.hear(Studio.client(try studio.cassette(), MockTransport(.json(body))))
        let login: Login = try await Studio.client(try studio.cassette(.none)).request(.get("/"))
        #expect(login.token == "<redacted>" && login.pin == 0 && login.session == ["ok": true] && login.name == "Ada")
    }

    @Test func `the caller gets everything, and another secret plays as well`() async throws {
        let studio = try Studio()
        let mock = MockTransport(.json(#"{"token": "hush-7"}"#))
        let first = try await Studio.hear(Studio.client(try studio.cassette(), mock), .get("/a?token=hush-7")).get()
        #expect(first.contains("hush-7") && mock.requests.first?.url.query == "token=hush-7")
        let second = await Studio.hear(Studio.client(try studio.cassette(.none)), .get("/a?token=other"))
        #expect(try second.get() == #"{"token": "<redacted>"}"#)
    }

    @Test func `the code of a failure is no secret, the code of a login is`() async throws {
        let failure = #"{"errors": [{"code": "FORBIDDEN"}]}"#
        let text = try await recording(of: .post("/a", body: Data(#"{"code": "hush-7"}"#.utf8)), answer: failure)
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
