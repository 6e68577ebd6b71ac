import Foundation
import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5))) struct TLSPolicyTests {
    private static let missing = URL(fileURLWithPath: "/nowhere/missing.pem")

    private func fault(_ change: (inout TLSPolicy) -> Void) throws -> String {
        var policy = TLSPolicy()
        change(&policy)
        let error = try #require(throws: NetworkError.self) { try policy.validate() }
        #expect(error.kind == .invalidRequest)
        return error.reason
    }

    @Test func `the standard is valid: the system's authorities, no pins, TLS 1-2 or later, the right host`() throws {
        try TLSPolicy.standard.validate()
        #expect(TLSPolicy.standard.minimumVersion == .v1_2 && TLSVersion.v1_2 < .v1_3)
        #expect(TLSPolicy.standard.hostVerification == .full)
    }

    @Test(arguments: [
        TLSPolicy.Pin.publicKey("r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E="), .publicKey("sha256//AAAA"),
        .publicKey("sha256//???"), .publicKey(""), .certificate(sha256: "59:DE"), .certificate(sha256: "zz"),
    ])
    func `a malformed pin is refused, with its host`(pin: TLSPolicy.Pin) throws {
        let reason = try fault { $0.pins = ["api.example.com": [.publicKey(SampleCertificate.publicKey), pin]] }
        #expect(reason.contains("api.example.com") && reason.contains("malformed"))
    }

    @Test(arguments: [
        "", "*", "*.", "https://example.com", "example.com:443", "a.*.com", "a b", "example.com/path", "*example.com",
        "*.*.example.com", "www.*", "a..com", ".example.com", "*..com", "example.com..", ".", " example.com",
        "example.com\t", "user@example.com", "[::1]", "a/\u{301}b", "a\u{200B}b.com", "exa%6Dple.com", "a\0b", "a?b",
        "a,b",
        "xn--b\u{FC}cher.example", "\u{301}a.example",
        String(repeating: "a", count: 64) + ".example", String(repeating: "ü", count: 60) + ".example",
        Array(repeating: "abcdefgh", count: 30).joined(separator: "."),
    ])
    func `an invalid host name cannot be pinned`(host: String) throws {
        let reason = try fault { $0.pins = [host: [.publicKey(SampleCertificate.publicKey)]] }
        #expect(reason.contains(host.debugDescription))
    }

    @Test func `a host cannot be pinned twice in two spellings`() throws {
        let pin = [TLSPolicy.Pin.publicKey(SampleCertificate.publicKey)]
        let reason = try fault { $0.pins = ["bücher.example": pin, "XN--bcher-kva.example.": pin] }
        #expect(reason.contains("bücher.example") && reason.contains("XN--bcher-kva.example."))
    }

    @Test func `a host with an empty list of pins is invalid`() throws {
        #expect(try fault { $0.pins = ["example.com": []] }.contains("example.com"))
    }

    @Test func `a missing file is named`() throws {
        #expect(try fault { $0.authorities = .file(Self.missing) }.contains("/nowhere/missing.pem"))
        #expect(try fault { $0.clientCertificate = .pkcs12(Self.missing) }.contains("/nowhere/missing.pem"))
        let certificate = URL(fileURLWithPath: #filePath)
        let pair = ClientCertificate.pem(certificate: certificate, key: Self.missing)
        #expect(try fault { $0.clientCertificate = pair }.contains("/nowhere/missing.pem"))
        let remote = try #require(URL(string: "https://example.com/ca.pem?token=x"))
        #expect(try fault { $0.authorities = .file(remote) }.contains("token=<redacted>"))
    }

    @Test(
        arguments: [
            ([], "any.test", false, true), ([], "any.test", true, false), (["a.test"], "A.test.", false, true),
            (["a.test"], "a.test", true, true), (["a.test"], "b.a.test", false, false),
            (["*.a.test"], "b.a.test", true, true), (["*.a.test"], "a.test", false, false),
        ] as [(Set<String>, String, Bool, Bool)])
    func `a client certificate is for the named hosts or for the host of the call`(
        hosts: Set<String>, host: String, isForeign: Bool, isShown: Bool
    ) {
        var policy = TLSPolicy()
        policy.clientCertificateHosts = hosts
        #expect(!policy.showsClientCertificate(to: host, isForeign: isForeign))
        policy.clientCertificate = .pkcs12(Self.missing)
        #expect(policy.showsClientCertificate(to: host, isForeign: isForeign) == isShown)
    }

    @Test(arguments: ["", "*", "https://a.test", "a.test:443"])
    func `an invalid host name cannot get a client certificate`(host: String) throws {
        #expect(try fault { $0.clientCertificateHosts = [host] }.contains(host.debugDescription))
        #expect(try fault { $0.clientCertificateHosts = ["a.test"] }.contains("clientCertificate"))
    }

    @Test func `authorities without a certificate are invalid`() throws {
        #expect(try fault { $0.authorities = .pem(Data("none".utf8)) }.contains("PEM"))
        let other = URL(fileURLWithPath: "/dev/null")
        #expect(try fault { $0.authorities = .file(other) }.contains("/dev/null"))
        var policy = TLSPolicy()
        policy.authorities = .pem(Data(SampleCertificate.pem.utf8))
        try policy.validate()
    }

    @Test func `no description shows a password`() {
        var policy = TLSPolicy()
        policy.clientCertificate = .pkcs12(Self.missing, password: "hunter2")
        let proxy = ProxyPolicy.url(Self.missing, credentials: ProxyCredentials(user: "me", password: "hunter2"))
        var texts = ["\(policy)", "\(proxy)", String(reflecting: policy), String(reflecting: proxy)]
        dump(policy, to: &texts[0])
        dump(proxy, to: &texts[1])
        #expect(texts.allSatisfy { !$0.contains("hunter2") && $0.contains("missing.pem") })
    }

    @Test(arguments: [
        ("ftp://proxy:1", "ftp"), ("http://", "host"), ("http://me:hunter2@proxy:1", "credentials"),
        ("proxy", "scheme"),
    ])
    func `an invalid proxy address is refused`(address: String, word: String) throws {
        let proxy = ProxyPolicy.url(try #require(URL(string: address)))
        let error = try #require(throws: NetworkError.self) { try proxy.validate() }
        #expect(error.reason.contains(word) && !error.reason.contains("hunter2"))
    }

    @Test(arguments: [
        ("https://proxy", true), ("HTTPS://proxy:8080", true), ("http://proxy", false), ("socks5://proxy", false),
    ])
    func `a session on Apple platforms never replaces a TLS proxy with a plain one`(address: String, isRefused: Bool)
        throws
    {
        let proxy = ProxyPolicy.url(try #require(URL(string: address)))
        #expect((proxy.systemSessionFault != nil) == isRefused)
        #expect(ProxyPolicy.environment.systemSessionFault == nil && ProxyPolicy.direct.systemSessionFault == nil)
    }

    @Test(arguments: ["http://proxy:3128", "https://proxy", "socks5://10.0.0.1:1080", "socks5h://proxy"])
    func `the addresses of proxies are valid`(address: String) throws {
        try ProxyPolicy.url(try #require(URL(string: address))).validate()
    }
}
