import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineObservation

/// Values that used to be shown because no rule matched, in every place that shows messages.
@Suite(.timeLimit(.minutes(5)), .disabled(if: ThreadSanitizer.isWatching, "runs on one thread"))
struct ShownSecretsTests {
    private static let secret = "hunter2hunter2"

    private func redact(_ body: String, _ type: String?) -> String {
        var redactor = MessageRedactor()
        var request = HTTPRequest(method: .post, url: URL(fileURLWithPath: "/"))
        request.body = .data(Data(body.utf8))
        request.headers["Content-Type"] = type
        return redactor.redact(request).body.data.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    @Test(arguments: [
        "mfa_code", "verification_code", "recovery_codes", "backupCodes", "mnemonic", "passkey", "pw", "cvv",
        "card_number", "iban", "ssn", "2fa",
    ])
    func `a member of this name is secret`(name: String) {
        #expect(!redact(#"{"\#(name)": "\#(Self.secret)"}"#, "application/json").contains(Self.secret))
        #expect(!redact(#"{"\#(name)": ["\#(Self.secret)"]}"#, "application/json").contains(Self.secret))
        #expect(!redact("\(name)=\(Self.secret)&a=1", "application/x-www-form-urlencoded").contains(Self.secret))
    }

    @Test(arguments: [
        "Authentication", "DPoP", "X-MFA", "X-2FA-Code", "X-OTP", "X-Verification", "X-Creds", "Sec-WebSocket-Protocol",
        "X-Forwarded-Client-Cert",
    ])
    func `a field of this name is secret`(name: String) {
        #expect(Redaction.isSecret(header: name))
        #expect(!HTTPHeaders([.init(name: name, value: Self.secret)]).description.contains(Self.secret))
    }

    private static let bodies: [(String, String?)] = [
        ("password=\(secret)&user=a", nil), ("password=\(secret)", "application/octet-stream"),
        ("user: a\npassword: \(secret)\n", "application/yaml"), ("- token: \"\(secret)\"\n", "text/x-yaml"),
        (#"{"query": "mutation { login(user: \"a\", password: \"\#(secret)\") { id } }"}"#, "application/json"),
        (#"[{"name": "password", "value": "\#(secret)"}]"#, "application/json"),
        (#"{"message": "token=\#(secret) is expired"}"#, "application/json"),
        ("-----BEGIN RSA PRIVATE KEY-----\n\(secret)\n-----END RSA PRIVATE KEY-----\n", "text/plain"),
        (#"{"pem": "-----BEGIN PRIVATE KEY-----\n\#(secret)\n-----END PRIVATE KEY-----"}"#, "application/json"),
        ("-----BEGIN PRIVATE KEY-----\n\(secret)", "application/x-pem-file"),
    ]

    @Test(arguments: bodies) func `a secret in a body of this form is hidden`(body: String, type: String?) {
        let shown = redact(body, type)
        #expect(!shown.contains(Self.secret), "\(shown)")
        #expect(shown.contains("redacted"))
    }

    @Test(arguments: ["refresh", "access", "Refresh"], ["r-9c1e7a5b3d2f", "d1f0c2b3a4958677", "aB3/xyz+09=="])
    func `an access or refresh that looks like a token is hidden`(name: String, token: String) {
        #expect(!redact(#"{"\#(name)": "\#(token)", "a": 1}"#, "application/json").contains(token))
        #expect(!redact(#"{"body": "{\"\#(name)\": \"\#(token)\"}"}"#, "application/json").contains(token))
    }

    @Test(arguments: [
        #"{"access": "public"}"#, #"{"refresh": true}"#, #"{"refresh": 1800}"#, #"{"access": ["read", "write"]}"#,
        #"{"refresh": "2026-01-01T10:00:00Z"}"#, #"{"refresh": "every 10 minutes"}"#,
        #"{"access": "read-only-for-members"}"#, #"{"refresh": null, "next": "r-9c1e7a5b3d2f"}"#,
        #"{"refresh": "https://api.test/v1/a"}"#,
    ])
    func `an access or refresh of another kind is shown`(body: String) {
        #expect(redact(body, "application/json") == body)
    }

    @Test(arguments: [
        (#"[{"name": "color", "value": "red"}]"#, "application/json"),
        (#"{"text": "a=b, c: \"d\""}"#, "application/json"), ("name: a\nvalue: b\n", "application/yaml"),
        ("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n", "text/plain"),
    ])
    func `other values stay`(body: String, type: String) {
        #expect(redact(body, type) == body)
    }

    private static let tokens = [
        "/hooks/T0001/0123456789abcdef0123456789abcdef", "/bot123456:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/getMe",
        "/services/a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6", "/cart;jsessionid=0123456789ABCDEF?page=1",
    ]

    @Test(arguments: tokens) func `a token in a path is hidden everywhere`(path: String) throws {
        let url = try #require(URL(string: "https://a.test\(path)"))
        var redactor = MessageRedactor()
        let request = HTTPRequest(url: url)
        let shown = [
            Redaction.describe(url), redactor.redact(request).url.absoluteString, request.curlCommand(),
            NetworkError(kind: .status, request: request).description,
        ]
        let token = path.split(whereSeparator: { "/;=?".contains($0) }).first { $0.count >= 16 } ?? ""
        for text in shown { #expect(!text.contains(token), "\(text)") }
    }

    private static let addressesWithSemicolons = [
        "/x?password=a;\(secret)&page=1", "/x;password=a;\(secret)?page=1", "/x?page=1#token=a;b;\(secret)",
    ]

    @Test(arguments: addressesWithSemicolons) func `the part of a secret behind a semicolon is hidden everywhere`(
        path: String
    ) throws {
        let url = try #require(URL(string: "https://a.test\(path)"))
        var redactor = MessageRedactor()
        let request = HTTPRequest(url: url)
        let shown = [
            Redaction.describe(url), redactor.redact(request).url.absoluteString, request.curlCommand(),
            redact("password=a;\(Self.secret)&b=c", "application/x-www-form-urlencoded"),
        ]
        for text in shown { #expect(!text.contains(Self.secret), "\(text)") }
    }

    @Test(arguments: [
        "/users/4bf92f35-77b3-4da6-a3ce-929d0e0e4736", "/posts/how-to-install-version-11-on-an-old-laptop-2024",
        "/orders/12345678901234567890123456789012345",
    ])
    func `an identifier in a path is shown`(path: String) throws {
        let url = try #require(URL(string: "https://a.test\(path)"))
        #expect(Redaction.describe(url).hasSuffix(path))
    }

    @Test func `a secret field of a part is hidden`() {
        let body =
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\nAuthorization: Bearer canary\r\nX-A: b\r\n\r\nx\r\n--b--"
        let shown = redact(body, "multipart/form-data; boundary=b")
        #expect(!shown.contains("canary") && shown.contains("X-A: b\r\n\r\nx\r\n--b--"))
    }

    @Test(arguments: [
        #"{"password": "R"}"#, "password=R&a=b", #"{"a": "x--by", "password": "R"}"#, "<a><token>R</token></a>",
        "{\"password\": \"R\"}\r\n--b\r\nX-A: b\r\n\r\nx\r\n--b--", "--b\r\n{\"password\": \"R\"}\r\n--b--\r\n",
        "--b\r\n\r\nx\r\n--b--\r\n{\"password\": \"R\"}", "--b\r\nAuthorization: Bearer R\r\n",
    ])
    func `a secret outside of the parts is hidden`(body: String) {
        let type = "multipart/form-data; boundary=b"
        let shown = redact(body.replacing("R", with: Self.secret), type)
        #expect(!shown.contains(Self.secret) && shown.contains("redacted"), "\(shown)")
        #expect(redact(shown, type) == shown)
    }

    @Test(arguments: [
        "", "x", "--b", "--b--", "\n--b--\r\n", "preamble\r\n--b\r\n\r\nx\r\n--b\n\ny\n--b--\r\nepilogue: a\r\n",
        "--b\r\nX-A: b\r\n--b\r\n\r\n\r\n--b--\r\n", "\r\n--b\r\n\r\nx--b\r\n--b--",
    ])
    func `a multipart body without secrets stays`(body: String) {
        #expect(redact(body, "multipart/mixed; boundary=b") == body)
    }

    // MARK: Time

    /// Bodies that are slow to search, each consisting of a repeated part.
    private static let hostile: [(type: String, piece: String)] = [
        ("multipart/mixed; boundary=b", "--b\r\n"), ("multipart/mixed; boundary=b", "\n--b a"),
        ("multipart/mixed; boundary=b", "--b\r\n\r\nx\r\n"),
        ("multipart/mixed; boundary=b", "--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"),
        ("multipart/form-data; boundary=b", "--b\r\nname=\"password\"\r\n\r\nx\r\n"),
        ("application/json", "{\"name\":"),
        ("application/json", "\"a=\\\""), ("application/json", "[[{\"password\":"), ("text/html", "<![CDATA["),
        ("text/html", "<a b='"), ("text/html", "<!--"), ("text/xml", "</a><a>"), ("text/plain", "password=x "),
        ("text/plain", "eyJ"), ("text/plain", "-----BEGIN PRIVATE KEY"), ("text/plain", "http://"),
        ("text/plain", "a="),
        ("application/x-www-form-urlencoded", "password=x&"), ("", "https://a:b@c/?token=x "),
    ]

    @Test(arguments: hostile)
    func `the time for a body grows with its length, not with the square of it`(type: String, piece: String) {
        let growth = growthOfTime(from: 2 << 10) { length in
            let body = String(repeating: piece, count: length / piece.utf8.count)
            return { _ = redact(body, type) }
        }
        #expect(growth < 32)
    }
}
