import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineObservation
@testable import NetworkEngineTesting

/// Messages that have already been redacted, such as those in a cassette that is opened again.
@Suite(.timeLimit(.minutes(5))) struct RedactedTwiceTests {
    private static let secret = "hunter2-hunter2"
    private static let token = "eyJhbGciOiJub25lIn0.aHVudGVyMmh1bnRlcjI.x"
    private static let form = "application/x-www-form-urlencoded"

    private static let bodies: [(type: String, body: String)] = [
        ("application/json", #"{"password": "\#(secret)", "pin": 1234, "a": "\#(token)", "tokens": ["x", {"b": 7}]}"#),
        ("application/json", #"{"a": "{\"password\": \"\#(secret)\"}", "b": "token=\#(secret) & <b>", "c": "it's"}"#),
        ("application/json", #"{"a": "<token>\#(secret)</token>&#x27;", "value": "\#(secret)", "name": "pin"}"#),
        ("application/json", #"{'password': '\#(secret)', a: 'b' /* token: "\#(secret)" */}"#),
        ("application/json", #"{"password": "\#(secret)"#),
        ("application/json", #"{"a": "see https://a:b@c/?token=d"}"#),
        (form, "password=\(secret)&a=b%20c&d=%7B%22token%22%3A%22\(secret)%22%7D&e=\(token)"),
        (form, "payload=<token>\(secret)</token>&a=<b c='d'/>&password=<redacted:7>"),
        ("application/xml", "<a token=\"\(secret)\"><password>\(secret)</password><b>token=\(secret)</b>\(token)</a>"),
        ("application/xml", "<session><id> \(secret) </id><![CDATA[\(secret)]]><a/></session>"),
        ("application/xml", "<a><![CDATA[token=\(secret)]]><![CDATA[<token>\(secret)</token>]]></a>"),
        ("text/html", "<input type=password value='\(secret)'><p title=\"it's token=\(secret)\">&nbsp;&#x27;</p>"),
        ("text/html", "<p>{&quot;password&quot;: &quot;\(secret)&quot;} &lt;b&gt; \"c\" 'd' &amp;amp; &#233;</p>"),
        ("text/html", "<script>token = '\(secret)'; a < b && c</script><!-- token='\(secret)' & d -->"),
        ("text/html", "<a href=\"/?a=b&amp;token=\(secret)\" data-a='{\"token\": \"\(secret)\"}'>c</a>"),
        ("text/plain", "password: \(secret)\nAuthorization: Bearer \(secret)\n\(token) a=b abcdefgh1234567890123456"),
        ("text/plain", "token = \"\(secret)\" <token>\(secret)</token>"),
        ("text/plain", "<a><token>\(secret)</token></a>"),
        ("text/yaml", "password: \(secret)\nb: [token: \(secret)]"), ("", "password=\(secret)"),
        ("text/event-stream", "event: a\ndata: {\"token\": \"\(secret)\"}\n\ndata: token=\(secret)\n\n"),
        ("text/event-stream", "data: {\"token\":\ndata: \"\(secret)\"}\n\n"),
        ("text/csv", "name,password\nAda,\(secret)\n\"B,C\",\"x\"\"y\"\n"),
        (
            "multipart/form-data; boundary=x",
            "--x\r\nContent-Disposition: form-data; name=token\r\n\r\n\(secret)\r\n--x--"
        ),
        (
            "multipart/mixed; boundary=x",
            "--x\r\nAuthorization: \(secret)\r\nContent-Type: text/xml\r\n\r\n<pin>\(secret)</pin>\r\n--x--"
        ),
    ]

    private static func redacted(_ request: HTTPRequest) -> (request: HTTPRequest, secrets: Set<String>) {
        var redactor = MessageRedactor()
        return (redactor.redact(request), redactor.secrets)
    }

    private static func redacted(_ response: HARResponse) -> HARResponse {
        var redactor = MessageRedactor()
        return redactor.redact(response, to: nil)
    }

    @Test(arguments: bodies)
    func `a body that is redacted again does not change`(type: String, body: String) {
        var request = HTTPRequest(method: .post, url: URL(fileURLWithPath: "/"))
        request.body = .data(Data(body.utf8))
        request.headers["Content-Type"] = type.isEmpty ? nil : type
        let (once, _) = Self.redacted(request)
        let (twice, secrets) = Self.redacted(once)
        #expect(once.text == twice.text && !once.text.contains("hunter") && once.text.contains("redacted"))
        #expect(secrets.allSatisfy { $0.contains("redacted") || $0 == "0" }, "\(secrets)")
        let response = HARResponse(statusCode: 200, headers: request.headers, body: Data(body.utf8))
        let answer = Self.redacted(response)
        #expect(answer.content.text == Self.redacted(answer).content.text)
    }

    @Test func `headers and addresses that are redacted again do not change`() throws {
        let headers: HTTPHeaders = [
            "Authorization": "Bearer \(Self.secret)", "Cookie": "a=\(Self.secret)", "X-Api-Key": Self.secret,
            "Location": "https://a:b@c.test/x;token=\(Self.secret)?token=\(Self.secret)&a=b&page=2&\(Self.token)#e=f",
            "Link": "<https://c.test/?a=\(Self.secret)>; rel=next", "X-Echo": Self.token,
            "WWW-Authenticate": "Bearer realm=\"a\", token=\"\(Self.secret)\", Hawk \(Self.secret)",
            "Refresh": "5; url=/x?token=\(Self.secret)",
        ]
        let address = "https://a:b@c.test/x/\(Self.token)?token=\(Self.secret)&unknown=\(Self.secret)&page=2#g=h"
        let request = HTTPRequest(url: try #require(URL(string: address)), headers: headers)
        let (once, _) = Self.redacted(request)
        let (twice, secrets) = Self.redacted(once)
        #expect(once.url == twice.url && once.headers == twice.headers)
        #expect(secrets.allSatisfy { $0.isEmpty || $0.contains("redacted") }, "\(secrets)")
        let answer = Self.redacted(HARResponse(statusCode: 200, headers: headers, body: Data()))
        let again = Self.redacted(answer)
        #expect(again.headers.map(\.value) == answer.headers.map(\.value) && again.redirectURL == answer.redirectURL)
    }
}

extension HTTPRequest {
    fileprivate var text: String { String(decoding: body.data ?? Data(), as: UTF8.self) }
}
