import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct CassetteFileTests {
    private func text(_ change: (inout CassetteOptions) -> Void = { _ in }) async throws -> String {
        let studio = try Studio()
        let mock = MockTransport(.json(#"{"id": 7}"#, headers: ["Date": "\(Date())", "X-B": "1"]), .failure(.connect))
        let client = Studio.client(try studio.cassette(.once, change), mock)
        for endpoint in [Endpoint.post("/a?x=1").body(Data("x/y".utf8)), .get("/b")] {
            _ = await Studio.hear(client, endpoint)
        }
        return try studio.text
    }

    @Test func `the same exchanges give the same file at any time`() async throws {
        let first = try await text()
        #expect(try await text() == first && first.hasSuffix("}\n"))
    }

    @Test func `the file is valid HAR 1.2`() async throws {
        let object = try JSONSerialization.jsonObject(with: Data(await text().utf8)) as? [String: Any]
        let log = try #require(object?["log"] as? [String: Any])
        #expect(log["version"] as? String == "1.2" && (log["creator"] as? [String: Any])?.count == 2)
        let entries = try #require(log["entries"] as? [[String: Any]])
        let entry: Set = ["startedDateTime", "time", "request", "response", "cache", "timings"]
        let request: Set = [
            "method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize",
        ]
        let response: Set = [
            "status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL", "headersSize",
            "bodySize",
        ]
        for found in entries {
            #expect(entry.isSubset(of: found.keys))
            #expect(request.isSubset(of: (found["request"] as? [String: Any])?.keys.map { $0 } ?? []))
            #expect(response.isSubset(of: (found["response"] as? [String: Any])?.keys.map { $0 } ?? []))
        }
        #expect((entries.last?["response"] as? [String: Any])?["_error"] as? String == "connect")
    }

    @Test func `times are written on request`() async throws {
        let text = try await text {
            $0.recordsTimes = true
            $0.now = { Date(timeIntervalSince1970: 86_400) }
        }
        #expect(text.contains("1970-01-02T00:00:00.000Z"))
    }

    @Test func `a cassette without fields after bodies says nothing of them`() async throws {
        #expect(try await !text().contains("railers"))
    }

    @Test func `a file that a browser exported is played`() async throws {
        let studio = try Studio()
        try studio.write(
            """
            {"log": {"version": "1.2", "creator": {"name": "WebInspector", "version": "537.36"}, "pages": [], "entries": [
              {"_priority": "High", "startedDateTime": "2026-01-01T00:00:00.000Z", "time": 12.3, "timings": {"blocked": -1},
               "request": {"method": "GET", "url": "https://api.test/a", "httpVersion": "h3", "queryString": [],
                 "headers": [{"name": ":authority", "value": "api.test"}], "cookies": [], "headersSize": -1, "bodySize": 0},
               "response": {"status": 200, "statusText": "", "httpVersion": "h3", "cookies": [], "_transferSize": 5,
                 "headers": [{"name": ":status", "value": "200"}, {"name": "x-a", "value": "1"}], "redirectURL": "",
                 "content": {"size": 5, "mimeType": "text/plain", "text": "aGVsbG8=", "encoding": "base64"}}},
              {"request": {"method": "POST", "url": "https://api.test/b", "postData": {"mimeType": "x",
                 "params": [{"name": "a b", "value": "1"}]}},
               "response": {"status": 0, "_error": "net::ERR_CONNECTION_REFUSED"}},
              {"request": {"method": "GET", "url": "https://api.test/c"}, "response": {"status": 204}}
            ]}}
            """)
        let cassette = try studio.cassette(.none) { $0.matching.parts.insert(.body) }
        let client = Studio.client(cassette)
        let response = try await client.send(.get("/a"))
        #expect(response.data == Data("hello".utf8) && response.headers == ["x-a": "1"])
        let refused = await Studio.hear(client, .post("/b").body(Data("a+b=1".utf8))).error
        #expect(refused?.transportFailure == .connect)
        #expect(try await client.send(.get("/c")).statusCode == 204)
        try cassette.checkAllUsed()
    }

    @Test(arguments: ["aGVsbG8", "hello!", "aGVs-G8=", "aGVsbG8= and more"])
    func `a body that is marked as Base64 and is none is an error that names its episode`(text: String) throws {
        let answered = #"{"request": {"method": "GET", "url": "https://api.test/a"}, "response": {"status": 204}}"#
        let content = #"{"status": 200, "content": {"text": "\#(text)", "encoding": "base64"}}"#
        let response = #"{"request": {"method": "GET", "url": "https://api.test/b"}, "response": \#(content)}"#
        let body = #"{"text": "\#(text)", "_encoding": "base64"}"#
        let request =
            #"{"request": {"method": "PUT", "url": "https://api.test/b", "postData": \#(body)}, "#
            + #""response": {"status": 200}}"#
        for (entry, name) in [(response, "GET"), (request, "PUT")] {
            let studio = try Studio()
            try studio.write(#"{"log": {"entries": [\#(answered), \#(entry)]}}"#)
            let error = #expect(throws: CassetteError.self) { try studio.cassette(.none) }
            #expect(error?.reason == "the body of number 2 (\(name) https://api.test/b) is not Base64")
        }
    }

    @Test(arguments: [
        ("http s://a.test/b", #"{"status": 200}"#, "number 1 (GET http s://a.test/b) has an address that is no URL"),
        (
            "https://a.test/b", #"{"status": 200, "content": {"text": "uryyb", "encoding": "rot13"}}"#,
            #"the body of number 1 (GET https://a.test/b) has the unknown encoding "rot13""#
        ),
        ("https://a.test/b", #"{"status": 99999}"#, "number 1 (GET https://a.test/b) has the status 99999"),
        ("https://a.test/b", #"{"status": -1}"#, "number 1 (GET https://a.test/b) has the status -1"),
        (
            "https://a.test/b", #"{"status": 200, "headers": [{"name": "X-A", "value": "b\r\nc"}]}"#,
            "number 1 (GET https://a.test/b) has a header X-A that is none"
        ),
    ])
    func `an episode that is no exchange of HTTP is an error that names it`(
        address: String, response: String, reason: String
    ) throws {
        let studio = try Studio()
        let request = #"{"method": "GET", "url": "\#(address)"}"#
        try studio.write(#"{"log": {"entries": [{"request": \#(request), "response": \#(response)}]}}"#)
        let error = #expect(throws: CassetteError.self) { try studio.cassette(.none) }
        #expect(error?.reason == reason)
    }

    @Test func `Base64 can have line breaks and an encoding in capitals`() async throws {
        let studio = try Studio()
        let content = #"{"text": "aGVs\r\n bG8=\n", "encoding": "Base64"}"#
        try studio.write(
            """
            {"log": {"entries": [{"request": {"method": "GET", "url": "https://api.test/"},
              "response": {"status": 200, "content": \(content)}}]}}
            """)
        #expect(try await Studio.hear(Studio.client(try studio.cassette(.none))).get() == "hello")
    }

    @Test func `an address that a browser exported keeps its escapes`() async throws {
        let studio = try Studio()
        try studio.write(
            """
            {"log": {"version": "1.2", "entries": [
              {"request": {"method": "GET", "url": "https://api.test/a%20b|c?d=%2F[]"}, "response": {"status": 204}}
            ]}}
            """)
        let client = Studio.client(try studio.cassette(.none))
        let response = try await client.send(.get("/a%20b|c?d=%2F[]"))
        #expect(response.statusCode == 204)
    }

    @Test func `a file that cannot be written fails the exchange`() async throws {
        let studio = try Studio()
        try studio.write("a file where the folder should be")
        let cassette = try Cassette(file: studio.file.appendingPathComponent("tape.har"))
        let error = await Studio.hear(Studio.client(cassette, MockTransport(.status(200)))).error
        #expect(error?.reason.contains("cannot be written") == true)
    }
}
