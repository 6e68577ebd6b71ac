import Testing

@testable import NetworkEngine
@testable import NetworkEngineDigest

@Suite(.timeLimit(.minutes(5))) struct AuthenticationChallengeTests {
    /// The challenges in header fields as text, to compare them.
    private func texts(_ fields: String...) -> [String] {
        AuthenticationChallenge.challenges(in: fields).map { challenge in
            let parameters = challenge.parameters.map { "\($0.name)=<\($0.value)>" }
            return ([challenge.scheme] + [challenge.token].compactMap(\.self) + parameters).joined(separator: " ")
        }
    }

    @Test func `several challenges in one field are separated`() {
        let field = #"Newauth realm="apps", type=1, title="Login to \"apps\"", Basic realm="simple""#
        #expect(texts(field) == [#"newauth realm=<apps> type=<1> title=<Login to "apps">"#, "basic realm=<simple>"])
    }

    @Test func `several fields are read in order`() {
        #expect(texts("Basic realm=a", "Digest realm=\"b, c\"") == ["basic realm=<a>", "digest realm=<b, c>"])
    }

    @Test(arguments: [
        ("Negotiate", ["negotiate"]), ("Negotiate, NTLM", ["negotiate", "ntlm"]),
        ("NTLM TlRMTVNTUAAC+/==, Basic realm=x", ["ntlm TlRMTVNTUAAC+/==", "basic realm=<x>"]),
        ("Bearer , , Basic realm = \"x\"", ["bearer", "basic realm=<x>"]),
        (" \t, DIGEST nonce=\"a=,b\" ,\tqop=\"auth,auth-int\"", ["digest nonce=<a=,b> qop=<auth,auth-int>"]),
        ("Digest realm=\"x\" nonce=\"y\"", ["digest realm=<x> nonce=<y>"]),
        (#"Digest realm="a\\b\"c", nonce="""#, [#"digest realm=<a\b"c> nonce=<>"#]),
        ("", []), (",", []), ("\"x\"", []), ("realm=\"x\"", []),
    ])
    func `schemes, tokens, quotes and blanks are read`(field: String, expected: [String]) {
        #expect(texts(field) == expected)
    }

    @Test(arguments: [
        "Basic realm=a, Digest realm=\"b", "Basic realm=a, Digest realm=\"b\\", "Basic realm=a, Digest realm=b, @",
        "Basic realm=a, Digest realm=b, REALM=c", "Basic realm=a, Digest, =b",
    ])
    func `a malformed challenge is left out, and those before it stay`(field: String) {
        #expect(texts(field) == ["basic realm=<a>"])
    }

    @Test func `a challenge with more parameters than any scheme has is left out`() {
        #expect(texts("Digest " + (0..<65).map { "p\($0)=1" }.joined(separator: ",")).isEmpty)
    }

    @Test func `the names of parameters ignore case`() {
        let challenge = AuthenticationChallenge.challenges(in: ["Digest Realm=x"]).first
        #expect(challenge?["rEALM"] == "x" && challenge?["nonce"] == nil)
    }

    @Test func `the parameters of an Authentication-Info are read`() {
        let info = AuthenticationChallenge.parameters(in: "qop=auth, rspauth=\"1f\", nextnonce=\"a, b\"")
        #expect(info["rspauth"] == "1f" && info["nextnonce"] == "a, b" && info["qop"] == "auth")
        #expect(AuthenticationChallenge.parameters(in: "nextnonce=\"a").isEmpty)
    }
}
