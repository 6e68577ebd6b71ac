import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineObservation

@Suite(.timeLimit(.minutes(5))) struct CURLTests {
    /// A command's request on one line: method, address, headers, body.
    private func line(_ command: String) throws -> String {
        let request = try HTTPRequest(curl: command)
        var parts = ["\(request.method.rawValue) \(request.url.absoluteString)"]
        parts += request.headers.map { "\($0.name): \($0.value)" }
        switch request.body {
        case .absent: break
        case .data(let data): parts.append("«" + String(decoding: data, as: UTF8.self) + "»")
        case .file(let file): parts.append("file \(file.path)")
        case .stream: parts.append("stream")
        }
        return parts.joined(separator: " | ")
    }

    private static let form = "Content-Type: application/x-www-form-urlencoded"

    @Test(arguments: [
        ("curl https://a.test", "GET https://a.test"),
        ("  /usr/bin/curl a.test/x?y=1", "GET http://a.test/x?y=1"),
        ("curl -X POST https://a.test/x", "POST https://a.test/x"),
        ("curl -XDELETE --url 'https://a.test/x'", "DELETE https://a.test/x"),
        ("curl -I https://a.test", "HEAD https://a.test"),
        ("curl -sSLv --compressed -o out.txt -w '%{http_code}' --retry 3 https://a.test", "GET https://a.test"),
        (
            "curl https://a.test \\\n  -H 'Accept: text/plain' \\\r\n  --header \"X-A: b: c\"",
            "GET https://a.test | Accept: text/plain | X-A: b: c"
        ),
        ("curl -H 'X-Empty;' -H 'User-Agent:' https://a.test", "GET https://a.test | X-Empty: "),
        ("curl -H 'A: 1' -H 'A: 2' https://a.test", "GET https://a.test | A: 1 | A: 2"),
        ("curl -d a=1 -d 'b=2 3' https://a.test", "POST https://a.test | \(form) | «a=1&b=2 3»"),
        ("curl --data-raw '@x' -X PUT https://a.test", "PUT https://a.test | \(form) | «@x»"),
        ("curl -G -d a=1 --data-urlencode 'q=x y&z' https://a.test/s?b=2", "GET https://a.test/s?b=2&a=1&q=x%20y%26z"),
        (
            "curl --data-urlencode 'x y' --data-urlencode '=é' https://a.test",
            "POST https://a.test | \(form) | «x%20y&%C3%A9»"
        ),
        (
            #"curl https://a.test -H 'content-type: application/json' -d '{"a": "it'\''s"}'"#,
            #"POST https://a.test | content-type: application/json | «{"a": "it's"}»"#
        ),
        (#"curl a.test --data-raw $'{"a":"\'\u0041\x42\n"}'"#, "POST http://a.test | \(form) | «{\"a\":\"'AB\n\"}»"),
        (
            #"curl --json '{"a":1}' https://a.test"#,
            #"POST https://a.test | Content-Type: application/json | Accept: application/json | «{"a":1}»"#
        ),
        (
            #"curl --json '{"a":1}' -H 'Accept:' https://a.test"#,
            #"POST https://a.test | Content-Type: application/json | «{"a":1}»"#
        ),
        ("curl -u ada:secret https://a.test", "GET https://a.test | Authorization: Basic YWRhOnNlY3JldA=="),
        ("curl --oauth2-bearer t https://a.test", "GET https://a.test | Authorization: Bearer t"),
        (
            "curl -A me -e http://r.test -b 'a=1; b=2' https://a.test",
            "GET https://a.test | User-Agent: me | Referer: http://r.test | Cookie: a=1; b=2"
        ),
        ("curl -b a=1 --cookie 'b=2; c=3' https://a.test", "GET https://a.test | Cookie: a=1; b=2; c=3"),
        ("curl -A me -H 'user-agent: you' https://a.test", "GET https://a.test | user-agent: you"),
        ("curl -H 'Authorization: x' -u ada:secret https://a.test", "GET https://a.test | Authorization: x"),
        ("curl --data-binary @/tmp/x.bin https://a.test", "POST https://a.test | file /tmp/x.bin"),
        ("curl -T /tmp/x.bin https://a.test/up", "PUT https://a.test/up | file /tmp/x.bin"),
        ("curl -T '/tmp/x 1%.bin' https://a.test/up/", "PUT https://a.test/up/x%201%25.bin | file /tmp/x 1%.bin"),
        ("curl -T /tmp/x.bin https://a.test", "PUT https://a.test/x.bin | file /tmp/x.bin"),
        ("curl -T /tmp/x.bin 'https://a.test/up/?a=1'", "PUT https://a.test/up/?a=1 | file /tmp/x.bin"),
        ("curl --data-binary @/tmp/x.bin https://a.test/up/", "POST https://a.test/up/ | file /tmp/x.bin"),
        (
            "curl --compressed -H 'Accept-Encoding: br' -H 'Content-Length: 3' -H 'Connection: close' https://a.test",
            "GET https://a.test"
        ),
        ("curl \"https://a.test/\\$x?a=\\\"b\\\"\" # done", "GET https://a.test/$x?a=%22b%22"),
        ("curl -- https://a.test", "GET https://a.test"),
    ])
    func `a curl command becomes its request`(command: String, expected: String) throws {
        #expect(try line(command) == expected)
    }

    @Test func `a time limit becomes the timeout`() throws {
        #expect(try HTTPRequest(curl: "curl -m 2.5 https://a.test").timeout == .seconds(2.5))
    }

    @Test func `fields and files become a multipart body`() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("curl-\(UUID().uuidString).txt")
        try Data("hello".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let command =
            "curl -F 'a=1;2' -F 'f=@\(file.path);type=text/x;filename=\"b.txt\"' --form-string 'c=@d' https://a.test"
        let request = try HTTPRequest(curl: command)
        guard case .stream(let stream) = request.body else { throw CocoaError(.fileReadUnknown) }
        let body = String(decoding: try await stream.reduce(Data(), +), as: UTF8.self)
        #expect(request.method == .post && request.headers["Content-Type"]?.hasPrefix("multipart/form-data") == true)
        for piece in ["name=\"a\"\r\n\r\n1;2\r\n", "filename=\"b.txt\"", "text/x", "hello", "name=\"c\"\r\n\r\n@d\r\n"]
        {
            #expect(body.contains(piece), "\(piece)")
        }
    }

    @Test(arguments: [
        ("wget https://a.test", "does not begin with curl"), ("", "does not begin with curl"),
        ("curl", "has no address"), ("curl a.test b.test", "has two addresses"),
        ("curl 'https://a.test", "has a quote that is not closed"), ("curl -H", "ends after -H"),
        ("curl --data", "ends after --data"),
        ("curl a.test | jq .", #"has an unquoted "|", which only a shell can carry out"#),
        ("curl a.test/?a=1&b=2", #"has an unquoted "&", which only a shell can carry out"#),
        (#"curl -H "A: $TOKEN" a.test"#, #"has an unquoted "$", which only a shell can carry out"#),
        ("curl -d a -T /b a.test", "has two bodies"), ("curl ftp://a.test", "has an address that is not http or https"),
        ("curl -m soon a.test", "has an invalid --max-time"),
    ])
    func `an invalid command is explained`(command: String, fault: String) {
        let error = #expect(throws: NetworkError.self) { try HTTPRequest(curl: command) }
        #expect(error?.kind == .invalidRequest && error?.reason == "the cURL command \(fault)")
    }

    @Test(arguments: [
        "curl -k https://a.test", "curl -x http://proxy a.test", "curl --cert me.pem a.test", "curl -d @file a.test",
        "curl -b jar.txt a.test", "curl -T - a.test", "curl -F 'a=<b' a.test", "curl --flag a.test",
    ])
    func `an unknown option that changes the request is unsupported`(command: String) {
        let error = #expect(throws: NetworkError.self) { try HTTPRequest(curl: command) }
        #expect(error?.kind == .unsupported)
    }

    @Test func `an invalid request is refused`() {
        for command in ["curl -X 'GE T' https://a.test", "curl -H $'A: b\\r\\nC: d' a.test"] {
            #expect(throws: NetworkError.self) { try HTTPRequest(curl: command) }
        }
    }
}
