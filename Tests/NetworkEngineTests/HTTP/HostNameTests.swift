import Foundation
import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5))) struct HostNameTests {
    @Test(arguments: [
        ("example.com", "example.com"), ("Example.COM", "example.com"), ("exa%6Dple.com", "example.com"),
        ("Bücher.example", "xn--bcher-kva.example"), ("bu\u{308}cher.example", "xn--bcher-kva.example"),
        ("b%C3%BCcher.example", "xn--bcher-kva.example"), ("XN--BCHER-KVA.example", "xn--bcher-kva.example"),
        ("例え\u{3002}テスト", "xn--r8jz45g.xn--zckzah"), ("ａｂｃ．example", "abc.example"), ("faß.de", "xn--fa-hia.de"),
        ("☃.net", "xn--n3h.net"), ("[FE80::1%25eth0]", "[fe80::1%25eth0]"), ("100%", "100%"),
        ("\u{130}.example", "xn--i-9bb.example"), ("Ω.example", "xn--bya.example"), ("", ""),
        ("%FF.example", "%ff.example"),
    ])
    func `every spelling of a host name has one form for comparison`(name: String, form: String) {
        #expect(HostName.comparable(name) == form)
        #expect(HostName.comparable(form) == form)
    }

    @Test func `the form of a host name equals the platform's form in a URL`() throws {
        for name in [
            "Bücher.example", "例え。テスト", "ａｂｃ．example", "faß.de", "☃.net", "müller-straße.example", "ΑΒΓ.example",
            "Ærøskøbing.dk",
        ] {
            let url = try #require(URL(string: "https://\(name)/"))
            #expect(url.absoluteString == "https://\(HostName.comparable(name))/")
            #expect(HostName.fault(in: name) == nil)
        }
    }

    @Test func `a name without such a form equals only itself`() {
        let long = String(repeating: "ü", count: 80)
        #expect(HostName.comparable(long) == long && HostName.fault(in: long) != nil)
    }
}
