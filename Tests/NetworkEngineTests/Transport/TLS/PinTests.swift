import Foundation
import TestSupport
import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5))) struct PinTests {
    private static let pin = TLSPolicy.Pin.publicKey(SampleCertificate.publicKey)
    private static let other = TLSPolicy.Pin.publicKey("sha256//r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=")

    private func sample() throws -> Data {
        try #require(Data(SampleCertificate.pem.utf8).certificatesInPEM.first)
    }

    @Test(arguments: [
        pin, .certificate(sha256: SampleCertificate.digest),
        .certificate(sha256: SampleCertificate.digest.lowercased().filter { $0 != ":" }),
    ])
    func `a certificate has the hashes that openssl computes`(pin: TLSPolicy.Pin) throws {
        let certificate = try sample()
        #expect(pin.matches(certificate: certificate))
        #expect(!pin.matches(certificate: certificate.dropLast()) || pin == Self.pin)
    }

    @Test func `another key and bytes that are not a certificate do not match`() throws {
        let certificate = try sample()
        #expect(!Self.other.matches(certificate: certificate))
        #expect(!Self.pin.matches(certificate: Data("not a certificate".utf8)))
        for end in certificate.indices { _ = Self.pin.matches(certificate: certificate[..<end]) }
        for index in certificate.indices {
            var broken = certificate
            broken[index] ^= 0xFF
            #expect(!TLSPolicy.Pin.certificate(sha256: SampleCertificate.digest).matches(certificate: broken))
            _ = Self.pin.matches(certificate: broken)
        }
    }

    @Test func `a self-signed certificate is recognized by its names`() throws {
        #expect(try #require(CertificateFields(der: sample())).isSelfIssued)
    }

    @Test func `all certificates of a PEM text are found, and keys are skipped`() throws {
        let key = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
        let text = Data((SampleCertificate.pem + "\n" + key + SampleCertificate.pem).utf8)
        #expect(try text.certificatesInPEM == [sample(), sample()])
    }

    @Test(arguments: [
        ("api.example.com", [pin]), ("API.Example.COM", [pin]), ("api.example.com.", [pin]),
        ("www.example.com", [other]), ("example.com", []), ("a.b.example.com", []), ("notexample.com", []),
    ])
    func `a host has its pins or those of its pattern`(host: String, expected: [TLSPolicy.Pin]) {
        var policy = TLSPolicy()
        policy.pins = ["api.example.com": [Self.pin], "*.Example.com": [Self.other]]
        #expect(policy.pins(for: host) == expected)
    }

    @Test(arguments: [
        ("bücher.example", "xn--bcher-kva.example"), ("xn--bcher-kva.example", "bücher.example"),
        ("BÜCHER.example", "xn--bcher-kva.example"), ("bu\u{308}cher.example", "XN--BCHER-KVA.EXAMPLE."),
        ("*.bücher.example", "api.xn--bcher-kva.example"), ("*.example", "xn--bcher-kva.example"),
        ("bücher.example", "b%C3%BCcher.example"), ("例え。テスト", "xn--r8jz45g.xn--zckzah"), ("faß.de", "xn--fa-hia.de"),
    ])
    func `a host outside ASCII has its pins in any spelling`(pinned: String, asked: String) throws {
        var policy = TLSPolicy()
        policy.pins = [pinned: [Self.pin]]
        try policy.validate()
        #expect(policy.pins(for: asked) == [Self.pin])
        let url = try #require(URL(string: "https://\(asked)/"))
        #expect(policy.pins(for: url.host ?? "") == [Self.pin])
    }
}
