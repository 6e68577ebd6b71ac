import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCache

@Suite(.timeLimit(.minutes(5))) struct VariantTests {
    private func matches(_ vary: String, _ first: HTTPHeaders, _ second: HTTPHeaders) -> Bool {
        Variant(of: ["Vary": vary], to: .cached(first))?.matches(.cached(second)) ?? false
    }

    @Test(
        arguments: [
            ("Foo", ["Foo": "1"], ["Foo": "1"], true), ("Foo", ["Foo": "1"], ["foo": "1"], true),
            ("Foo", ["Foo": "1"], ["Foo": "2"], false), ("Foo", ["Foo": "1"], [:], false), ("Foo", [:], [:], true),
            ("Foo", [:], ["Foo": ""], false),
            ("Foo", ["Foo": "1", "Prefer": "1"], ["Foo": "1", "Prefer": "2"], true),
            ("Foo, Bar", ["Foo": "1", "Bar": "a"], ["Foo": "1", "Bar": "a"], true),
            ("bar, FOO", ["Foo": "1", "Bar": "a"], ["Foo": "1", "Bar": "b"], false),
            ("Foo", ["Foo": "1,2"], ["Foo": " 1, 2 "], true), ("Foo", ["Foo": "1, 2"], ["Foo": "2, 1"], false),
            ("Foo", ["Foo": "a"], ["Foo": "A"], false), ("", ["Prefer": "1"], ["Prefer": "2"], true),
            ("Accept-Language", ["Accept-Language": "en, de"], ["Accept-Language": "de,EN"], true),
            ("Accept-Language", ["Accept-Language": "en;q=0.5"], ["Accept-Language": "en; q=0.5"], true),
            ("Accept-Language", ["Accept-Language": "en, de"], ["Accept-Language": "en"], false),
            ("*", [:], [:], false), (", *", [:], [:], false), ("Foo, *", ["Foo": "1"], ["Foo": "1"], false),
        ] as [(String, HTTPHeaders, HTTPHeaders, Bool)])
    func `a request selects a response by the fields that Vary names`(
        vary: String, first: HTTPHeaders, second: HTTPHeaders, isMatch: Bool
    ) {
        #expect(matches(vary, first, second) == isMatch)
    }

    @Test(
        arguments: [
            ("", "", true), ("Foo", "", true), ("Foo", "FOO", true), ("Foo, Bar", "bar", true), ("", "Foo", false),
            ("Foo", "Foo, Bar", false), ("Foo", "*", false), ("Foo", "Foo, *", false),
        ])
    func `a variant covers a later head if Vary names no further field`(vary: String, later: String, isCovered: Bool)
        throws
    {
        let variant = try #require(Variant(of: ["Vary": vary], to: .cached()))
        #expect(variant.covers(["Vary": later]) == isCovered)
    }

    @Test func `several lines of a field are one list`() {
        var headers: HTTPHeaders = ["Foo": "1"]
        headers.add("2", for: "Foo")
        #expect(matches("Foo", ["Foo": "1, 2"], headers))
    }

    @Test func `a value cannot look like two`() {
        #expect(!matches("a, b", ["a": "1", "b": "2"], ["a": "1:b1:2", "b": ""]))
        #expect(!matches("a, b", ["a": "x"], ["b": "x"]))
    }

    @Test func `responses to different credentials are different variants`() {
        #expect(!matches("", ["Authorization": "a"], ["Authorization": "b"]))
        #expect(!matches("", ["Authorization": "a"], [:]))
        #expect(!matches("", [:], ["Authorization": "a"]))
        #expect(matches("", ["Authorization": "a"], ["authorization": "a"]))
    }

    @Test func `a header that an interceptor marked as secret identifies the sender`() {
        var marked = HTTPRequest.cached(["X-Key": "a"])
        marked.secrets = RequestSecrets(headers: ["x-key"])
        #expect(!marked.sender.credentials.isEmpty)
        #expect(HTTPRequest.cached(["X-Key": "a"]).sender.credentials.isEmpty)
    }

    @Test func `fields that are not known to be the same for all identify the sender`() {
        for name in ["X-Auth-Token", "X-User", "Tenant", "PRIVATE-TOKEN"] {
            #expect(!matches("", [name: "a"], [name: "b"]) && !matches("", [name: "a"], [:]))
            #expect(matches("", [name: "a"], [name: "a"]))
        }
        for name in ["Accept", "User-Agent", "X-Request-ID", "Traceparent", "If-None-Match", "Range", "Referer"] {
            #expect(matches("", [name: "a"], [name: "b"]) && matches("", [:], [name: "b"]))
        }
        let isPublic: HTTPHeaders = ["Cache-Control": "public"]
        let variant = Variant(of: isPublic, to: .cached(["X-User": "a"]))
        #expect(variant?.matches(.cached(["X-User": "b"])) == true)
        let own = Variant(of: [:], to: .cached(["Authorization": "a"]))
        #expect(own?.matches(.cached(["Authorization": "a", "X-User": "b"])) == false)
    }

    @Test func `a name in place of a value identifies the sender, also where Vary names the field`() {
        func request(_ value: String, of user: String) -> HTTPRequest {
            HTTPRequest.cached(["Authorization": value]).marking(identity: user, of: "Authorization")
        }
        for vary in ["", "Authorization"] {
            let variant = Variant(of: ["Vary": vary], to: request("1", of: "ada"))
            #expect(variant?.matches(request("2", of: "ada")) == true)
            #expect(variant?.matches(request("1", of: "bob")) == false)
        }
    }

    @Test func `a field that was changed after its identity was named identifies by its value`() {
        var request = HTTPRequest.cached(["Authorization": "1"]).marking(identity: "ada", of: "Authorization")
        let variant = Variant(of: [:], to: request)
        request.headers["Authorization"] = "2"
        #expect(variant?.matches(request) == false)
    }

    @Test func `cookies identify the sender, also those that an interceptor marked as secret`() {
        var request = HTTPRequest.cached(["Cookie": "a=b"])
        request.secrets = RequestSecrets(headers: ["Cookie"])
        #expect(!request.sender.whole.isEmpty)
        #expect(request.sender.withoutCookies.isEmpty && request.sender.credentials.isEmpty)
    }

    @Test(
        arguments: [
            ("max-age=9", ["Cookie": "a"], ["Cookie": "a"], true), ("max-age=9", ["Cookie": "a"], [:], false),
            ("max-age=9", ["Cookie": "a"], ["Cookie": "b"], false), ("max-age=9", [:], ["Cookie": "a"], true),
            ("max-age=9", ["Authorization": "x"], ["Authorization": "x", "Cookie": "a"], true),
            ("max-age=9", ["Authorization": "x", "Cookie": "a"], ["Authorization": "x"], false),
            ("public", ["Cookie": "a"], ["Cookie": "b"], true), ("public", ["Cookie": "a"], [:], true),
            ("public", ["Authorization": "x", "Cookie": "a"], ["Authorization": "x", "Cookie": "b"], true),
            ("public", ["Authorization": "x", "Cookie": "a"], ["Authorization": "y", "Cookie": "a"], false),
            ("public", ["Authorization": "x", "Cookie": "a"], ["Cookie": "a"], false),
            ("public", ["Cookie": "a"], ["Authorization": "x", "Cookie": "a"], false),
            ("public, private", ["Cookie": "a"], ["Cookie": "b"], false),
            ("private", [:], ["Cookie": "a"], false), ("private", ["Cookie": "a"], ["Cookie": "a"], true),
        ] as [(String, HTTPHeaders, HTTPHeaders, Bool)])
    func `other cookies select a response only if it is public, or was sent without cookies and is not private`(
        control: String, first: HTTPHeaders, second: HTTPHeaders, isMatch: Bool
    ) {
        let variant = Variant(of: ["Cache-Control": control], to: .cached(first))
        #expect(variant?.matches(.cached(second)) == isMatch)
    }

    @Test(arguments: [
        ("https://Example.com:443/a?b=c#d", "https://example.com/a?b=c", "https://example.com"),
        ("https://example.com", "https://example.com/", "https://example.com"),
        ("https://example.com?a=b/c", "https://example.com/?a=b/c", "https://example.com"),
        ("http://example.com:8080/A/%2f", "http://example.com:8080/A/%2f", "http://example.com:8080"),
        ("data#a://b", "data", "data#a://b"),
    ])
    func `a key is the address without the fragment`(address: String, expected: String, origin: String) throws {
        let key = CacheKey(try #require(URL(string: address)))
        #expect(key.address == expected)
        if !address.hasPrefix("data") { #expect(key.origin == origin) }
    }

    @Test func `a key does not show its address`() throws {
        let key = CacheKey(try #require(URL(string: "https://example.com/?token=secret")))
        var dump = ""
        Swift.dump(key, to: &dump)
        #expect(!"\(key) \(String(reflecting: key)) \(dump)".contains("secret"))
    }
}
