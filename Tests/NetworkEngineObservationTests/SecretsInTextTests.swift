import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineObservation
@testable import NetworkEngineTesting

/// Secrets in texts within messages: in strings, form fields, scripts and attributes.
@Suite(.timeLimit(.minutes(5)), .disabled(if: ThreadSanitizer.isWatching, "runs on one thread"))
struct SecretsInTextTests {
    private static let secret = "hunter2-hunter2"
    private static let form = "application/x-www-form-urlencoded"

    private func redact(
        _ body: String, _ type: String, secrets: RequestSecrets? = nil
    ) -> (request: String, log: String) {
        var request = HTTPRequest(method: .post, url: URL(fileURLWithPath: "/"))
        request.body = .data(Data(body.utf8))
        request.headers["Content-Type"] = type
        request.secrets = secrets
        var redactor = MessageRedactor()
        let redacted = redactor.redact(request)
        return (redacted.body.data.map { String(decoding: $0, as: UTF8.self) } ?? "", request.curlCommand())
    }

    private func expectHidden(_ body: String, _ type: String) {
        let shown = redact(body, type)
        #expect(!shown.request.contains("hunter"), "\(shown.request)")
        #expect(shown.request.contains("redacted"))
        #expect(redact(shown.request, type).request == shown.request)
        #expect(!shown.log.contains("hunter"), "\(shown.log)")
    }

    /// The text as a JSON member.
    private static func member(_ text: String) throws -> String {
        String(decoding: try JSONEncoder().encode(["message": text]), as: UTF8.self)
    }

    @Test(arguments: [
        #"[{"key": "api_key", "value": "\#(secret)"}]"#, #"[{"value": "\#(secret)", "key": "api_key"}]"#,
        #"[{"Key": "password", "Value": "\#(secret)"}]"#, #"[{"value": "\#(secret)", "name": "password"}]"#,
        #"[{"value": ["\#(secret)", 7], "a": {}, "name": "password"}]"#,
        #"{"text": "[{\"value\": \"\#(secret)\", \"key\": \"token\"}]"}"#,
        #"{"k": "password", "v": "\#(secret)"}"#, #"{"value": "\#(secret)", "header": "X-Api-Key"}"#,
    ])
    func `a value is hidden by its label in either order`(body: String) { expectHidden(body, "application/json") }

    @Test func `the label of a value stays, and so do values with other labels`() {
        let body = #"[{"key": "api_key", "value": "s"}, {"value": 1, "key": "pin"}, {"value": "b", "name": "color"}]"#
        let expected =
            #"[{"key": "api_key", "value": "<redacted>"}, {"value": 0, "key": "pin"}, {"value": "b", "name": "color"}]"#
        #expect(redact(body, "application/json").request == expected)
        #expect(redact(#"{"key": "\#(Self.secret)"}"#, "application/json").request == #"{"key": "<redacted>"}"#)
    }

    private static let texts = [
        "Authorization: Bearer \(secret)", "GET / HTTP/1.1\r\nAuthorization: Bearer \(secret)\r\nHost: a",
        "sent with Authorization: Bearer \(secret) to a", "curl -H 'X-Api-Key: \(secret)' https://a.test",
        "> Cookie: a=1; b=\(secret)\n> Host: a", "Bearer \(secret)", "X-Api-Key: \(secret)", "password: \(secret)",
        "a: b\npassword = \(secret)\n", "Authorization=Bearer \(secret)", "Proxy-Authorization: Digest a=\"\(secret)\"",
        "cannot read {\"password\": \"\(secret)\"} here", "Parameters: {\"password\"=>\"\(secret)\"}",
        "config['token'] = '\(secret)'", "token := \"\(secret)\"", "\"password\": \"\(secret)\"",
        "let token = `\(secret)`;", "if (token === \"\(secret)\")", "tokens = [\"a\", \"\(secret)\"];",
        "secret = {v: {w: '\(secret)'}}", "JSON.parse(\"{\\\"token\\\":\\\"\(secret)\\\"}\")", "token = b\"\(secret)\"",
        "[INFO] password=\(secret)", "[2026-01-01] Authorization: Bearer \(secret)", "[7] token=\(secret)",
    ]

    @Test(arguments: texts) func `a secret in a text is hidden where the text is a string, a field or a script`(
        text: String
    ) throws {
        expectHidden(try Self.member(text), "application/json")
        expectHidden("payload=" + (text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""), Self.form)
        expectHidden(text, "application/javascript")
        expectHidden("<html><script>if (a<b) {};\n\(text)\n</script></html>", "text/html")
    }

    @Test(arguments: [
        "Invalid password: it must have 8 characters", "See session: it is over", "the code: E1001", "code: E1001",
        "key: a", "Basic access", "a token is missing", "don't: 'x'", "1 = 1", "a {b: 'c'} [d: 1]",
        "if (a == b) { c = d }", "password:", "token=", "Authorization:", "https://a.test/x?page=1",
    ])
    func `other texts in strings stay`(text: String) throws {
        let body = try Self.member(text)
        #expect(redact(body, "application/json").request == body)
    }

    @Test(arguments: [
        #"payload={"password":"\#(secret)"}"#, "payload=%7B%22password%22%3A%22\(secret)%22%7D",
        #"payload={"a":"b&c","password":"\#(secret)"}"#, #"{"a":"b=c","password":"\#(secret)"}"#,
        #"a=1&b=[{"tokens":["\#(secret)"]}]"#,
    ])
    func `a secret in JSON in a form is hidden`(body: String) { expectHidden(body, Self.form) }

    /// If a word contains several names, the rest after each name can be a token.
    @Test(arguments: ["a token:é:token:\(secret)", "a (token:)token:x:token:\(secret)", "a token:x:7:\(secret) b"])
    func `a token behind a name within a word is hidden`(text: String) throws {
        expectHidden(try Self.member(text), "application/json")
    }

    @Test(arguments: ["<a><password>\(secret)</password></a>", "<a token='\(secret)'/>"])
    func `a secret in markup in a string or a field is hidden`(text: String) throws {
        expectHidden(try Self.member(text), "application/json")
        expectHidden("payload=\(text)", Self.form)
    }

    @Test(arguments: ["[1, 2]", "[1]", "[ true ,1]", "[null]", "[]", "[", "[\"token=a\"", "[{\"a\": \"b: c\"}]", "[7"])
    func `a list is a document, and not a line of a log`(text: String) {
        #expect(redact(text, "text/plain").request == text.replacing("token=a", with: "token=<redacted>"))
    }

    @Test func `JSON without secrets in a form stays`() {
        for body in [#"payload={"a":"b"}&c=%7B%22d%22%3A1%7D"#, #"{"a":"b=c"}"#] {
            #expect(redact(body, Self.form).request == body)
        }
    }

    @Test(arguments: [
        #"mutation { login(tokens: ["a", "\#(secret)"]) { id } }"#, #"query { a(secret: {v: "\#(secret)"}) }"#,
        #"query A($password: String = "\#(secret)") { a }"#, #"query A($password:String!="\#(secret)") { a }"#,
        #"query A($tokens: [String!]! = ["\#(secret)"], $b: Int) { a }"#,
        #"query A($secret: Input = {v: "\#(secret)"}) { a }"#, #"input A { password: String = "\#(secret)" }"#,
    ])
    func `a secret in GraphQL is hidden in any form of value`(query: String) throws {
        expectHidden(query, "application/graphql")
        expectHidden(try Self.member(query), "application/json")
    }

    @Test func `GraphQL without secrets stays`() throws {
        let query = #"query A($a: String! = "b", $password: String!, $c: [Int!] = [1]) { a(b: {c: "d"}) { token } }"#
        let body = try Self.member(query)
        #expect(redact(body, "application/json").request == body)
    }

    @Test(arguments: [
        "<script>var token = \"\(secret)\"</script>", "<SCRIPT type=a>for(i=0;i<n;i++){token='\(secret)'}</SCRIPT >",
        "<script>window.a = {\"b\": {\"token\": \"\(secret)\"}}", "<a href=\"/reset?a=b&amp;token=\(secret)\">x</a>",
        "<div data-a='{\"token\": \"\(secret)\"}'>", "<div data-a=\"{&quot;token&quot;: &quot;\(secret)&quot;}\">",
        "<p>{&quot;password&quot;: &quot;\(secret)&quot;}</p>", "<input type=password value=\"\(secret)\">",
        "{X-Api-Key=\(secret)", "<p>{api_key='\(secret)'}</p>", "<script>{const token='\(secret)'}</script>",
        "<p>{{ token = \"\(secret)\" }}</p>", "{{=>token='\(secret)'", "<script>{if (a) {token: b}; token='\(secret)'}",
        "<!-- token = \"\(secret)\" -->", "<a><!-- <password>\(secret)</password> --></a>",
        "<script><password>\(secret)</password></script>", "<a:script>b</a:script><password>\(secret)</password>",
        "<script>b <password>\(secret)</password>", "<button onclick=\"go({token: '\(secret)'})\">",
    ])
    func `a secret in a script or an attribute of HTML is hidden`(body: String) { expectHidden(body, "text/html") }

    @Test(arguments: [
        "<script>var a = \"b\"; if (a<c) { d() }</script><p>&quot;a&quot; <a href=\"/x?a=b&amp;c=d\">e</a></p>",
        "<svg><style>a > b { c: \"d\" }</style></svg>", "<script>", "<script></scrip", "<!-- a --><!--", "<!-- a",
        "<input type=text value=a>",
        "<xs:element type=\"xs:token\">a</xs:element>",
    ])
    func `HTML without secrets stays`(body: String) { #expect(redact(body, "text/html").request == body) }

    @Test(arguments: ["<li>x", "<p>x", "<tr><td>x<td>x", "<dt>x<dd>x", "<option>x", "<TD>x"])
    func `a secret behind many elements without closing tags is hidden, and they are shown`(piece: String) {
        let list = "<ul>" + String(repeating: piece, count: 600)
        let body = list + "<password>\(Self.secret)</password>"
        expectHidden(body, "text/html")
        #expect(redact(body, "text/html").request.hasPrefix(list))
    }

    @Test func `all values behind more open elements than are remembered are hidden`() {
        let end = "<password>\(Self.secret)</password><a b='\(Self.secret)'>\(Self.secret)</b></b><c>\(Self.secret)"
        expectHidden(String(repeating: "<b>", count: 66_000) + end, "text/html")
    }

    @Test(arguments: [1, 600, TestLength.part(of: 5_000)])
    func `a secret within many open elements is hidden, and other texts are shown`(count: Int) {
        let open = String(repeating: "<b>x", count: count)
        expectHidden("\(open)<password>\(Self.secret)</password>", "text/html")
        expectHidden("\(open)<token><d><e>\(Self.secret)</e></d></token>", "application/xml")
        let log = String(repeating: "<34>a line\n", count: count)
        #expect(redact(log, "text/plain").request == log)
    }

    @Test(arguments: [
        ("<p>{&#x22;password&#x22;: &#34;\(secret)&#X22;}</p>", "<p>{&#x22;password&#x22;: &#34;R&#X22;}</p>"),
        (
            "<a b='token=\(secret) &#x27;&nbsp;&#xE9;&amp;nbsp; \" &eacute;'/>",
            "<a b='token=R &#x27;&nbsp;&#xE9;&amp;nbsp; \" &eacute;'/>"
        ),
        (
            "<p>&lt;it's&gt; &#39;a&#x27; &amp;lt; token=\(secret) \"b\"&unknown; & c &#xFFFFFFFF;</p>",
            "<p>&lt;it's&gt; &#39;a&#x27; &amp;lt; token=R \"b\"&unknown; & c &#xFFFFFFFF;</p>"
        ),
        (
            "<p>&quot;a&quot; token=\(secret)&nbsp;&#233; pin=\(secret)&apos;&#x1F600;</p>",
            "<p>&quot;a&quot; token=R&nbsp;&#233; pin=R&apos;&#x1F600;</p>"
        ),
        (
            "<p title=\"{&quot;pin&quot;: 1234, &quot;a&quot;: &quot;&nbsp;&quot;}\">",
            "<p title=\"{&quot;pin&quot;: 0, &quot;a&quot;: &quot;&nbsp;&quot;}\">"
        ),
    ])
    func `entities beside a secret stay as they are written`(body: String, shown: String) {
        #expect(redact(body, "text/html").request == shown.replacing("R", with: "&lt;redacted&gt;"))
    }

    @Test(arguments: ["&#x68;unter2-hunter2", "hunter2&#45;hunter2", "hunter2&#x2d;hunter2"])
    func `a secret with entities is known as it reads, to be hidden elsewhere`(text: String) {
        var request = HTTPRequest(method: .post, url: URL(fileURLWithPath: "/"))
        for body in ["<password>\(text)</password>", "<a password='\(text)'/>"] {
            request.body = .data(Data(body.utf8))
            var redactor = MessageRedactor()
            _ = redactor.redact(request)
            #expect(redactor.secrets == [Self.secret])
        }
    }

    @Test func `entities behind many secrets stay`() {
        let list = (0..<40).map { "&quot;t\($0)hunter2&quot;" }.joined(separator: ",")
        let end = " &nbsp; it's &copy; &lt;b&gt;</p>"
        let shown = redact("<p>{&quot;tokens&quot;: [\(list)]}\(end)", "text/html").request
        #expect(!shown.contains("hunter2") && shown.hasSuffix(end), "\(shown)")
    }

    @Test(arguments: ["hunter2", "hunter2-hunter2", "hünter2?hunter>>2"])
    func `a known secret is hidden in Base64, alone and within other text`(value: String) throws {
        for before in ["", "a", "ab", "user:"] {
            for after in ["", "z"] {
                let encoded = Data((before + value + after).utf8).base64EncodedString()
                let core = encoded.dropFirst(before.utf8.count * 4 / 3 + 2).prefix(6)
                let other = encoded.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
                for text in [encoded, other] {
                    let secrets = RequestSecrets(values: [value])
                    let shown = redact(try Self.member(text), "application/json", secrets: secrets)
                    #expect(!shown.log.contains(core), "\(text): \(shown.log)")
                }
            }
        }
    }

    @Test(arguments: [
        ("application/json", #"{"value":1,"name":"pin","a":"#), ("application/json", #"{"a":"{\"b\":"#),
        ("application/json", "\"{'a':"), ("text/html", "<script>"), ("text/html", "<script>a</"),
        ("text/html", "<script>a</script>"),
        ("text/html", "<a b='{&quot;"), ("text/plain", "token=["), ("text/plain", "token=['"),
        ("text/plain", "'token:"), ("text/plain", "\"token:'token:`token:"),
        ("application/javascript", "token = \""), ("application/x", "Bearer "),
        ("application/x", "Cookie: "), ("application/x", "token:a "), ("application/x", "token:"),
        ("application/x", "password:é"), ("text/plain", "a: token:7"), (form, "a={\"b\":"), (form, "\"token\":"),
    ])
    func `the time for a text grows with its length, not with the square of it`(type: String, piece: String) {
        let body = String(repeating: piece, count: TestLength.part(of: 1 << 17) / piece.utf8.count)
        #expect(!redact(body, type).request.isEmpty)
    }
}
