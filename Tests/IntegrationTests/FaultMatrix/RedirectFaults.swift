import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Redirects, which our own code follows over every transport.
@Suite(.serialized, .timeLimit(.minutes(5))) struct RedirectFaults {
    /// Redirects from one number to the next, and reports where it ends.
    private static func hops(_ count: Int) -> @Sendable (LoopbackRequest) -> LoopbackResponse {
        { request in
            let number = Int(request.path.dropFirst()) ?? 0
            return number < count ? .redirect(to: "/\(number + 1)") : .text("arrived")
        }
    }

    static let chains = [
        FaultCase("20 redirects", expecting: .ends(.ok("arrived")).hits(21).reuses(true)).serving(hops(20)),
        FaultCase("21 redirects", expecting: .ends(.failsAs(.redirect)).hits(21)).serving(hops(21)),
        FaultCase("a redirect to itself", expecting: .ends(.failsAs(.redirect)).hits(21)).serving { _ in
            .redirect(to: "/case")
        },
        FaultCase("redirects back and forth", expecting: .ends(.failsAs(.redirect)).hits(21)).serving {
            .redirect(to: $0.path == "/case" ? "/other" : "/case")
        },
        FaultCase(
            "a redirect to itself until the cookie arrives",
            .redirect(to: "/case").header("Set-Cookie", "a=1"), .text("welcome"),
            expecting: .ends(.ok("welcome")).hits(2)),
        FaultCase("no Location", .text("stays", status: 302), expecting: .ends(.response(302, "stays"))),
        FaultCase("an empty Location", .redirect(to: ""), expecting: .ends(.response(302, ""))),
        FaultCase(
            "two different Locations",
            .redirect(to: "/a").header("Location", "/b"),
            expecting: .ends(.failsAs(.redirect))
        ),
        FaultCase("the same Location twice", .redirect(to: "/a").header("Location", "/a"), expecting: arrives)
            .serving { .text($0.target) },
        FaultCase("307 and a stream that can be read once", expecting: .ends(.failsAs(.redirect)))
            .asking { $0.request("case", method: .post, body: stream(isReplayable: false)) }
            .serving { _ in .redirect(to: "/a", status: 307) },
        FaultCase("307 and a stream that can be read again", expecting: .ends(.ok("abc")).hits(2))
            .asking(.post, body: stream(isReplayable: true))
            .serving { $0.path == "/case" ? .redirect(to: "/a", status: 307) : .text($0.text) },
    ]

    private static let arrives = FaultExpectation.ends(.ok("/a")).hits(2)

    private static func stream(isReplayable: Bool) -> RequestBody {
        .stream(
            BodyStream(isReplayable: isReplayable) {
                AsyncThrowingStream {
                    $0.yield(Data("abc".utf8))
                    $0.finish()
                }
            }
        )
    }

    /// The address requested next, starting from `/dir/case?x=1`.
    private static func location(_ location: String, leadsTo target: String) -> FaultCase {
        FaultCase("Location: \(location.prefix(20).debugDescription)", expecting: .ends(.ok(target)).hits(2))
            .asking {
                HTTPRequest(
                    url: $0.url.appendingPathComponent("dir/case").appending(queryItems: [.init(name: "x", value: "1")])
                )
            }
            .serving { request in
                guard request.target == "/dir/case?x=1" else { return .text(request.target) }
                let host = request.headers["Host"] ?? ""
                return .redirect(to: location.replacingOccurrences(of: "HOST", with: host))
            }
    }

    static let locations = [
        location("next", leadsTo: "/dir/next"), location("./next", leadsTo: "/dir/next"),
        location("../next", leadsTo: "/next"), location("../../../next", leadsTo: "/next"),
        location("/next", leadsTo: "/next"), location("?q=2", leadsTo: "/dir/case?q=2"),
        location("//HOST/next", leadsTo: "/next"), location("HTTP://HOST/next", leadsTo: "/next"),
        location("/next#part", leadsTo: "/next"), location("/a%2Fb", leadsTo: "/a%2Fb"),
        location("/a b", leadsTo: "/a%20b"), location("/grün", leadsTo: "/gr%C3%BCn"),
        FaultCase(
            "a Location of only a fragment", .redirect(to: "#part"), expecting: .ends(.failsAs(.redirect)).hits(21)
        )
        .serving { _ in .redirect(to: "#part") },
        location("/a%20b|c", leadsTo: "/a%20b%7Cc"),
        location("/f?sig=a%2Bb&n=[x]%", leadsTo: "/f?sig=a%2Bb&n=%5Bx%5D%25"),
        location("http://HOST/a/../b/./next", leadsTo: "/b/next"),
        FaultCase(
            "a Location of 60 KB", .redirect(to: "/" + String(repeating: "a", count: 60_000)), expecting: refused),
        FaultCase("Location: //%127.0.0.1", .redirect(to: "//%127.0.0.1"), expecting: refused),
    ]

    private static let refused = FaultExpectation.ends(.failsAs(.redirect))

    static let refusals =
        [
            "ftp://127.0.0.1/", "file:///etc/passwd", "javascript:alert(1)", "data:text/plain,a", "about:blank",
            "http:///a",
        ].map { FaultCase("Location: \($0)", .redirect(to: $0), expecting: refused) } + [
            FaultCase("a Location with credentials", expecting: refused)
                .serving { .redirect(to: "http://user:word@\($0.headers["Host"] ?? "")/next") }
        ]

    /// Redirects with bodies that aren't awaited.
    static let bodies = [
        redirect("a body without a length on an open connection") {
            $0.text("moved").closeDelimited().fault(.stall, at: .responseBody(afterBytes: 5))
        }
        .configured { $0.timeout = .seconds(2) },
        redirect("a length that does not come") {
            $0.text("moved").declaringLength("100").fault(.stall, at: .responseBody(afterBytes: 5))
        }
        .configured { $0.timeout = .seconds(2) },
        redirect("an unknown coding") { $0.text("moved").header("Content-Encoding", "nonsense") },
        redirect("gzip that is none") { $0.text("moved").header("Content-Encoding", "gzip") },
        redirect("more than the limit") { $0.data(Data(count: 100_000)) }.configured { $0.limits.bodyInMemory = 1_000 },
        redirect("more than the limit in chunks") { $0.data(Data(count: 100_000)).chunked() }
            .configured { $0.limits.bodyInMemory = 1_000 },
        FaultCase(
            "a redirect with a small body",
            .text("moved", status: 302).header("Location", "/next"), .text("arrived"),
            expecting: .ends(.ok("arrived")).hits(2).reuses(true)),
    ]

    private static func redirect(_ name: String, _ answer: (LoopbackResponse.Type) -> LoopbackResponse) -> FaultCase {
        var answer = answer(LoopbackResponse.self).header("Location", "/next")
        answer.status = 302
        return FaultCase("a redirect with \(name)", expecting: .ends(.ok("arrived")).hits(2))
            .serving { [answer] in $0.path == "/case" ? answer : .text("arrived") }
    }

    @Test(arguments: Wire.all)
    func `the connection of a redirect with an endless body is closed`(wire: Wire) async throws {
        // URLSession on Linux tries to read it to its end, which never comes.
        guard wire.name == "curl" else { return }
        let server = try LoopbackServer {
            if $0.path == "/next" { return .text("arrived") }
            var answer = LoopbackResponse.endless().header("Location", "/next")
            answer.status = 302
            return answer
        }
        try await wire.withTransport(connections: 1) { transport in
            let (ending, _) = await RequestEngine.over(transport).ending(of: server.request())
            #expect(ending == .ok("arrived"))
            try await server.wait { $0.openConnections <= 1 }
        }
    }

    @Test(arguments: chains + locations + refusals + bodies, Wire.all)
    func `a redirect leads to the address of RFC 3986 or is not followed`(fault: FaultCase, wire: Wire) async throws {
        try await FaultRun.check(fault, over: wire)
    }
}
