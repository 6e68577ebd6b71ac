import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Unusual requests, as the server receives them.
@Suite(.serialized, .timeLimit(.minutes(5))) struct RequestFaults {
    private static let refused = FaultExpectation.ends(.failsAs(.invalidRequest)).hits(0)

    static let headers =
        ["a\r\nX-Evil: 1", "a\n", "a\rb", "a\0b"].map {
            FaultCase("the header value \($0.debugDescription)", expecting: refused).asking(headers: ["X-A": $0])
        }
        + ["X-A\r\nX-Evil", "X A", "X:Y", "", "X-Ä"].map {
            FaultCase("the header name \($0.debugDescription)", expecting: refused).asking(headers: [$0: "1"])
        }
        + ["Content-Length", "Transfer-Encoding", "Connection"].map {
            FaultCase("\($0) by hand", expecting: refused).asking(.post, headers: [$0: "3"])
        } + [
            FaultCase("Host by hand", expecting: .ends(.ok("example.org"))).asking(headers: ["Host": "example.org"])
                .serving { .text($0.headers["Host"] ?? "none") }
        ]

    static let methods =
        ["GET /evil HTTP/1.1\r\nX: 1\r\n\r\nGET", "G T", "", "GÉT"].map {
            FaultCase("the method \($0.debugDescription)", expecting: refused).asking(HTTPMethod(rawValue: $0))
        } + [
            FaultCase("a method in lower case", expecting: .ends(.ok("purge"))).asking("purge")
                .serving { .text($0.method.rawValue) }
        ]

    /// The request target in a URL, and the target that arrives.
    private static func target(_ text: String, _ arriving: String) -> FaultCase {
        FaultCase("the address \(text)", expecting: .ends(.ok(arriving)))
            .asking { HTTPRequest(url: URL(string: $0.url.absoluteString + text) ?? $0.url) }
            .serving { .text($0.target) }
    }

    static let targets = [
        target("/a%0D%0AX-Evil:%201", "/a%0D%0AX-Evil:%201"), target("/a%00b", "/a%00b"), target("/a%20b", "/a%20b"),
        target("/a?q=%0d%0a", "/a?q=%0d%0a"), target("/gr%C3%BCn?%C3%BC", "/gr%C3%BCn?%C3%BC"), target("/a#b", "/a"),
        target("/a%23b", "/a%23b"), target("/a%2Fb//c/", "/a%2Fb//c/"), target("/a?", "/a?"), target("?a", "/?a"),
        target("/a?b=c+d&e=%2B", "/a?b=c+d&e=%2B"), target("/a%252F", "/a%252F"),
        target("/a/../b", "/b"), target("/./a/./b/..", "/a/"), target("/a?b=/../c", "/a?b=/../c"),
        target("/../x//.y", "/x//.y"),
    ]

    private static func host(_ host: String, _ arriving: String...) -> FaultCase {
        FaultCase("the host \(host)", expecting: FaultExpectation(arriving.map(FaultEnding.ok)))
            .asking { HTTPRequest(url: URL(string: "http://\(host):\($0.port)/") ?? $0.url) }
            .serving { request in
                let host = request.headers["Host"] ?? "none"
                return .text(String(host.prefix(upTo: host.lastIndex(of: ":") ?? host.endIndex)))
            }
    }

    static let hosts = [
        host("127.0.0.1", "127.0.0.1"), host("localhost", "localhost"), host("LOCALHOST", "localhost", "LOCALHOST"),
        FaultCase("the host [::1]", expecting: .ends(.ok("[::1]")).hits(1)).listening(on: .ipv6)
            .serving { .text($0.headers["Host"]?.split(separator: "]").first.map { "\($0)]" } ?? "none") },
    ]

    @Test(arguments: Wire.all)
    func `every transport sends the same address, also without an engine`(wire: Wire) async throws {
        let server = try LoopbackServer { .text($0.target) }
        try await wire.withTransport { transport in
            for (path, target) in [("/a/../b", "/b"), ("/a/./b/..?c=/./d", "/a/?c=/./d"), ("/..", "/")] {
                let url = try #require(URL(string: "http://127.0.0.1:\(server.port)" + path))
                let response = try await transport.send(HTTPRequest(url: url), context: TransportContext())
                #expect(response.text == target)
            }
        }
    }

    @Test(arguments: headers + methods + targets + hosts, Wire.all)
    func `a request is sent as given or refused`(fault: FaultCase, wire: Wire) async throws {
        try await FaultRun.check(fault, over: wire)
    }
}
