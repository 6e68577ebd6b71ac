import Foundation
import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5))) struct OriginTests {
    private func origin(_ address: String) throws -> Origin { try #require(URL(string: address)).origin }

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
    func `requests with equal scheme, host and port share connections in any spelling`(
        address: String,
        text: String
    ) throws {
        #expect(try origin(address).text == text)
    }

    @Test(arguments: [
        ("https://example.com/a?b#c", "HTTPS://EXAMPLE.com:443"), ("http://[::1]/a", "http://[::1]:80/b"),
        ("https://bücher.example", "https://xn--bcher-kva.example:443/"), ("http://a.test?b", "http://a.test#c"),
    ])
    func `addresses of one origin are equal and have the same hash`(left: String, right: String) throws {
        #expect(try origin(left) == origin(right))
        #expect(try origin(left).hashValue == origin(right).hashValue)
        #expect(try #require(URL(string: left)).hasSameOrigin(as: #require(URL(string: right))))
    }

    @Test(arguments: [
        ("http://example.com", "https://example.com"), ("https://example.com", "https://example.com:80"),
        ("https://example.com", "https://example.com:4430"), ("https://example.com", "https://example.com."),
        ("https://example.com", "https://user@example.com"), ("https://example.com", "https://example.com.evil.test"),
        ("https://example.com", "https://example.com@evil.test"), ("https://a.test", "https://b.a.test"),
        ("http://[::1]", "http://[::2]"), ("https://bucher.example", "https://bücher.example"),
    ])
    func `addresses that look alike are of different origins`(left: String, right: String) throws {
        #expect(try origin(left) != origin(right))
        #expect(try !#require(URL(string: left)).hasSameOrigin(as: #require(URL(string: right))))
    }

    @Test(arguments: [
        ("https://Example.com:8443/a", "example.com", true), ("http://[::1]:8080/", "::1", false),
        ("https://bücher.example", "xn--bcher-kva.example", true), ("HTTPS://a.test", "a.test", true),
    ])
    func `an origin has its host and whether it is secure`(address: String, host: String, isSecure: Bool) throws {
        #expect(try origin(address).host == host)
        #expect(try origin(address).isSecure == isSecure)
    }
}
