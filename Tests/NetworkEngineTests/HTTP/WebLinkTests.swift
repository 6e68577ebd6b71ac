import Foundation
import TestSupport
import Testing

@testable import NetworkEngine

@Suite(.disabled(if: ThreadSanitizer.isWatching, "runs on one thread"))
struct WebLinkTests {
    private static let base = "https://a.test/v1/users?page=2"

    private func links(_ headers: String..., base: String = Self.base) throws -> [WebLink] {
        var fields = HTTPHeaders()
        for header in headers { fields.add(header, for: "Link") }
        let request = HTTPRequest(url: try #require(URL(string: base)))
        return HTTPResponse(statusCode: 200, headers: fields, request: request).links
    }

    /// `relation+relation address`, one for each link.
    private func words(_ header: String) throws -> [String] {
        try links(header).map { "\($0.relations.joined(separator: "+")) \($0.url?.absoluteString ?? "-")" }
    }

    @Test(arguments: [
        (#"<https://a.test/x>; rel="next""#, ["next https://a.test/x"]),
        (#"<https://a.test/x>; rel=next"#, ["next https://a.test/x"]),
        (#"<https://a.test/x>;REL="Next  Last""#, ["next+last https://a.test/x"]),
        (
            #"<?page=3>; rel=next, </v1/users>; rel=first"#,
            ["next https://a.test/v1/users?page=3", "first https://a.test/v1/users"]
        ),
        (#"<../b>; rel=next"#, ["next https://a.test/b"]),
        (#"<//b.test/c>; rel=next"#, ["next https://b.test/c"]),
        (#"<>; rel=self"#, ["self https://a.test/v1/users?page=2"]),
        (
            #"<a,b;c>; title="x, <y>; rel=no"; rel=next,<d>;rel=prev"#,
            ["next https://a.test/v1/a,b;c", "prev https://a.test/v1/d"]
        ),
        (#"<a>; title="a \"quoted\", b"; rel="next""#, ["next https://a.test/v1/a"]),
        (#"<a>; rel=next; rel=prev"#, ["next https://a.test/v1/a"]),
        (#"<a> ; rel = "next" ; , ,<b>; rel=last"#, ["next https://a.test/v1/a", "last https://a.test/v1/b"]),
        (#"<a>; rel"#, [" https://a.test/v1/a"]),
        ("<a>", [" https://a.test/v1/a"]),
        (#"<a b>; rel=next"#, ["next https://a.test/v1/a%20b"]),
        (#"no link, "<x>; rel=next", <b>; rel=next"#, ["next https://a.test/v1/b"]),
        (#"<a>; rel="next"#, ["next https://a.test/v1/a"]),
        (#"<a>; rel="next\"#, ["next https://a.test/v1/a"]),
        ("<a", []),
        ("", []),
        (",,;", []),
        ("<mailto:ada@b.test>; rel=author", ["author mailto:ada@b.test"]),
    ])
    func `links are read as RFC 8288 says`(header: String, expected: [String]) throws {
        #expect(try words(header) == expected)
    }

    @Test func `the links of several headers are joined in their order`() throws {
        #expect(try links("<a>; rel=next", "<b>; rel=prev, <c>; rel=last").map(\.reference) == ["a", "b", "c"])
    }

    @Test func `an anchor is the context of its link, otherwise that is the response`() throws {
        let found = try links(#"<a>; anchor="/other"; rel=next, <b>; rel=next"#)
        #expect(found.map(\.context?.absoluteString) == ["https://a.test/other", Self.base])
    }

    @Test func `other parameters are attributes, and the first of a name counts`() throws {
        let link = try #require(try links(#"<a>; rel=next; Title="one"; title=two; media"#).first)
        #expect(link.attributes == ["title": "one", "media": ""])
    }

    @Test func `a combining mark hides no separator`() throws {
        #expect(
            try links("<a>;\u{301}x=\"\u{301}1\";rel=next,\u{301}, <b>;rel=last").map(\.relations) == [
                ["next"], ["last"],
            ])
    }

    @Test func `the description of a link hides secrets`() throws {
        let link = try #require(try links(#"</u?page=2&api_key=hush>; rel=next"#).first)
        var dumped = ""
        dump(link, to: &dumped)
        #expect("\(link)" == "next: /u?page=2&api_key=<redacted>" && !dumped.contains("hush"))
    }

    @Test func `a long header is read in linear time`() throws {
        let count = TestLength.part(of: 20_000)
        let header = String(repeating: #"<a>; rel="x\"";;,"#, count: count)
        #expect(try links(header).count == count)
        #expect(try links(String(repeating: "<,", count: 50 * count)).isEmpty)
    }
}
