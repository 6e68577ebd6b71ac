import Foundation
import TestSupport
import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5))) struct RedactionTests {
    @Test(arguments: [
        "Ocp-Apim-Subscription-Key", "X-Functions-Key", "aeg-sas-key", "X-Parse-Master-Key", "X-Hmac",
        "subscription-key",
        "X-Auth", "X_Api_Key", "X-Amz-Security-Token", "Cookie2", "Authentication-Info", "X-GitHub-OTP", "X-Pin",
        "X-Client-Auth",
    ])
    func `a secret header is recognized by its name`(name: String) {
        #expect(Redaction.isSecret(header: name))
    }

    @Test(arguments: [
        "subscription-key", "code_verifier", "device_code", "SAMLResponse", "SAMLRequest", "RelayState", "ticket",
        "passcode", "otp", "pin", "assertion", "client_assertion", "id_token_hint", "apiKey", "user[password]", "sig",
        "X-Amz-Credential",
    ])
    func `a secret parameter is recognized by its name`(name: String) {
        #expect(Redaction.isSecret(parameter: name))
    }

    @Test(arguments: [
        "pageToken", "nextPageToken", "page_token", "next_page_token", "continuationToken", "nextToken",
        "NextContinuationToken", "$skiptoken", "syncToken", "resumptionToken",
    ])
    func `the cursor of a page is no credential`(name: String) {
        #expect(!Redaction.isSecret(parameter: name) && !Redaction.isHarmless(parameter: name))
        #expect(!Redaction.isSecret(header: "X-" + name))
        #expect(Redaction.describe(address: "/x?\(name)=hush") == "/x?\(name)=<redacted>")
    }

    @Test(arguments: ["token", "access_token", "next_access_token", "pageTokenSecret", "user_page_token", "X-Token"])
    func `another token is a credential`(name: String) {
        #expect(Redaction.isSecret(parameter: name) && Redaction.isSecret(header: name))
    }

    private static let challenges: [(String, String)] = [
        (#"Digest realm="a, b", nonce="n+/=", opaque="o\"p", qop="auth", algorithm=MD5, stale=true"#, "="),
        (#"Basic realm="a""#, "="), ("Basic", "="), ("Negotiate", "="), ("", "="),
        (#"Bearer realm="a",error="insufficient_scope" ,  scope="b c""#, "="),
        (#"DPoP algs="ES256", error="use_dpop_nonce""#, "="), (#"Negotiate, Basic realm="a", DPoP"#, "="),
        ("Negotiate hush==", "Negotiate <redacted>"), ("NTLM hush, Basic realm=a", "NTLM <redacted>, Basic realm=a"),
        (#"Other realm="hush", a=hush"#, "<redacted>"), (#"Negotiate realm="hush""#, "Negotiate <redacted>"),
        (#"Bearer token="hush", error="a""#, #"Bearer token="<redacted>", error="a""#),
        ("Bearer hush", "Bearer <redacted>"), (#"Digest nonce="hush"#, "Digest <redacted>"), ("a=hush", "<redacted>"),
        ("Basic \"hush\"", "Basic <redacted>"), ("hushhushhushhushhush1", "<redacted>"),
        (#"Bearer realm="https://a.test/?x=hush&page=1""#, #"Bearer realm="https://a.test/?x=<redacted>&page=1""#),
        (#"Digest realm="a", hush"#, #"Digest realm="a", <redacted>"#),
        (#"Bearer hush error="a""#, "Bearer <redacted>"), (#"Basic hush== realm="a""#, "Basic <redacted>"),
        ("Negotiate hush x", "Negotiate <redacted>"), ("Negotiate HUSH=x", "Negotiate <redacted>"),
        ("Bearer hush:hush", "Bearer <redacted>"), ("Bearer:hush", "Bearer<redacted>"),
        (#"Bearer realm="a" hush"#, #"Bearer realm="a"<redacted>"#),
        (#"Basic realm="a", hushhushhushhushhush1="#, #"Basic realm="a", <redacted>"#),
        (#"Basic realm="a", hush="#, #"Basic realm="a", <redacted>"#),
    ]

    @Test(arguments: challenges, ["WWW-Authenticate", "Proxy-Authenticate"])
    func `a challenge of a known scheme is shown, without secrets`(challenge: (String, String), name: String) {
        let shown = challenge.1 == "=" ? challenge.0 : challenge.1
        #expect("\([name: challenge.0] as HTTPHeaders)" == "\(name): \(shown)")
    }

    @Test func `a challenge of many parts takes a moment`() {
        for piece in ["Basic ", "Basic a=", "a=\"", "Bearer a=b,", ",", "Negotiate a,", "\"", "Digest nonce=\"\\\""] {
            let value = String(repeating: piece, count: TestLength.part(of: 20_000))
            #expect(!"\(["WWW-Authenticate": value] as HTTPHeaders)".isEmpty)
        }
    }

    @Test(arguments: ["Idempotency-Key", "Accept", "Content-Type", "X-Request-ID", "ETag", "X-Pinned", "X-Error-Code"])
    func `a harmless header is shown`(name: String) {
        #expect(!Redaction.isSecret(header: name))
    }

    @Test(arguments: [
        ("https://a.test/x?page=2&sort=name", "https://a.test/x?page=2&sort=name"),
        ("https://a.test/x?customer=hush", "https://a.test/x?customer=<redacted>"),
        ("https://a.test/x?page=1;aB3dE5gH7jK9mN1pQ3sT", "https://a.test/x?page=1;<redacted>"),
        ("https://a.test/x?page=1;customer=hush;limit=3", "https://a.test/x?page=1;customer=<redacted>;limit=3"),
        ("/x?password=hunter2;letmein", "/x?password=<redacted>;<redacted>"),
        ("/x?customer=a;;b;c;page=1;b&flag", "/x?customer=<redacted>;;<redacted>;<redacted>;page=1;b&flag"),
        ("/x;password=a;b;;v=1;c/d", "/x;password=<redacted>;<redacted>;;v=1;c/d"),
        ("https://a.test/x?q%75ery=hu%73h&flag&empty=", "https://a.test/x?q%75ery=<redacted>&flag&empty="),
        ("https://me:hush@a.test/x#hush", "https://a.test/x"), ("//me:hush@a.test/x", "//a.test/x"),
        ("/x?code=hush", "/x?code=<redacted>"), ("x?page=aB3dE5gH7jK9mN1pQ3sT5vX7zA9bC1dE", "x?page=<redacted>"),
        ("/x?aB3dE5gH7jK9mN1pQ3sT", "/x?<redacted>"), ("/x?\u{301}customer=hush", "/x?\u{301}customer=<redacted>"),
        ("/aB3dE5gH7jK9mN1pQ3sT5vX7zA9bC1dE/x", "/<redacted>/x"),
        ("/users/0b8f4a6e-6f0e-4a3b-9a55-2f1c3f1d9c11", "/users/0b8f4a6e-6f0e-4a3b-9a55-2f1c3f1d9c11"),
        ("/files/da39a3ee5e6b4b0d3255bfef95601890afd80709", "/files/<redacted>"),
        ("/eyJhbGciOiJub25lIn0.eyJzdWIiOiJodXNoIn0.x/y", "/<redacted>/y"), ("", ""), ("?", "?"), ("//", "//"),
    ])
    func `an address is shown with harmless values only`(address: String, shown: String) {
        #expect(Redaction.describe(address: address) == shown)
    }

    @Test(arguments: [
        ("Location", "https://a.test/cb?state=hush#access_token=hush", "https://a.test/cb?state=<redacted>"),
        ("Referer", "/x?ticket=hush", "/x?ticket=<redacted>"),
        (
            "Link", "<https://a.test/x?page=2&cursor=hush>; rel=\"next\"",
            "<https://a.test/x?page=2&cursor=<redacted>>; rel=\"next\""
        ),
        ("Refresh", "5; url=https://a.test/x?ticket=hush", "5; url=https://a.test/x?ticket=<redacted>"),
        ("X-Note", "see eyJhbGciOiJub25lIn0.eyJzdWIiOiJodXNoIn0.", "see <redacted>"),
        ("Accept", "text/html, */*;q=0.1", "text/html, */*;q=0.1"),
    ])
    func `the value of a header is shown without the secrets of an address`(
        name: String, value: String, shown: String
    ) {
        #expect("\([name: value] as HTTPHeaders)" == "\(name): \(shown)")
    }

    @Test(arguments: ["hush-7/+=&", "hüsh-7 \"x\"", #"hush\7"#])
    func `a value is found in every spelling`(value: String) throws {
        let scrubber = ValueScrubber([value])
        let query = try #require(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let json = String(decoding: try JSONEncoder().encode([value]), as: UTF8.self)
        let nested = String(decoding: try JSONEncoder().encode([json]), as: UTF8.self)
        for text in [value, query, query.lowercased(), query.replacing("%20", with: "+"), json, nested] {
            #expect(!scrubber.scrub("a \(text)\u{301} b").contains("sh"), "\(text)")
        }
    }

    @Test func `short values and parts of the placeholder are not searched for`() {
        let scrubber = ValueScrubber(["a", "12345", "redacted", "<redacted>"])
        #expect(scrubber.isEmpty && scrubber.scrub("redacted 12345") == "redacted 12345")
        #expect(ValueScrubber([], always: ["o"]).scrub("dog") == "d<redacted>g")
    }
}
