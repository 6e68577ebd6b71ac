import Foundation
import NetworkEngine
import Testing

@Suite(.timeLimit(.minutes(5))) struct OriginTests {
    @Test(arguments: [
        ("http://example.com", "http://example.com"), ("http://example.com/a:80", "http://example.com"),
        ("HTTP://Example.COM/A", "http://example.com"), ("http://example.com:80?a", "http://example.com"),
        ("https://example.com:443#a", "https://example.com"), ("https://example.com:80/", "https://example.com:80"),
        ("http://example.com:443", "http://example.com:443"), ("http://example.com:/", "http://example.com"),
        ("http://[::1]:8080/", "http://[::1]:8080"), ("http://[::1]/", "http://[::1]"),
        ("http://[FE80::1%25eth0]:8080/", "http://[fe80::1%25eth0]:8080"),
        ("https://Bücher.example:8443/ü", "https://xn--bcher-kva.example:8443"),
        ("https://b%C3%BCcher.example/", "https://xn--bcher-kva.example"),
        ("https://ex%61mple.com:443/", "https://example.com"),
    ])
    func `requests with the same scheme, host and port share connections, however that is written`(
        address: String,
        origin: String
    ) throws {
        #expect(try #require(URL(string: address)).origin == origin)
    }
}
