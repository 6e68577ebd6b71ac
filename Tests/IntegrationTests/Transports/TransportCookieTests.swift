import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCookies
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting

/// A cookie jar over real sockets, with every transport.
@Suite(.timeLimit(.minutes(5))) struct TransportCookieTests {
    private func client(_ transport: any Transport, _ server: LoopbackServer, _ jar: CookieJar) -> HTTPClient {
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        configuration.cookies = jar
        return HTTPClient(baseURL: server.url, configuration: configuration)
    }

    private func cookies(_ server: LoopbackServer) -> [String?] {
        server.requests.map { $0.headers["Cookie"] }
    }

    @Test(arguments: Wire.all)
    func `a login keeps the session of its redirect`(wire: Wire) async throws {
        let server = try LoopbackServer()
        server.enqueue(
            .redirect(to: "/home").header("Set-Cookie", "session=abc; Path=/; HttpOnly")
                .header("Set-Cookie", "seen=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT; Path=/home"),
            .text("home"), .text("more"),
            LoopbackResponse.text("bye").header("Set-Cookie", "session=; Path=/; Max-Age=0"), .text("end"))
        try await wire.withTransport { transport in
            let client = client(transport, server, CookieJar())
            let home = try await client.send(.post("/login").body(Data("user".utf8)))
            #expect(home.text == "home")
            for path in ["/other", "/logout", "/home/end"] { _ = try await client.send(.get(path)) }
        }
        #expect(cookies(server) == [nil, "seen=1; session=abc", "session=abc", "session=abc", "seen=1"])
    }

    @Test(arguments: Wire.all)
    func `cookies keep to their path and to https`(wire: Wire) async throws {
        let server = try LoopbackServer { request in
            guard request.path == "/set/here" else { return .text("ok") }
            return LoopbackResponse.text("ok").header("Set-Cookie", "deep=1").header("Set-Cookie", "safe=2; Secure")
                .header("Set-Cookie", "far=3; Path=/far").header("Set-Cookie", "alien=4; Domain=example.com")
                .header("Set-Cookie", "__Host-x=5; Path=/")
        }
        let jar = CookieJar()
        var secure = URLComponents(url: server.url, resolvingAgainstBaseURL: false)
        secure?.scheme = "https"
        jar.set(Cookie(name: "tls", value: "6", isSecure: true), for: try #require(secure?.url))
        try await wire.withTransport { transport in
            let client = client(transport, server, jar)
            for path in ["/set/here", "/set/there", "/far/away", "/"] { _ = try await client.send(.get(path)) }
        }
        #expect(cookies(server) == [nil, "deep=1", "far=3", nil])
    }

    /// URLSession on Linux rejects such a response.
    @Test(.enabled(if: CurlTransport.isAvailable), arguments: ["caf\u{E9}", "caf\u{E9} \u{80}\u{FF}"])
    func `bytes of a cookie that are not UTF-8 come back as they are`(latin1: String) async throws {
        let bytes = Data(latin1.unicodeScalars.map { UInt8($0.value) })
        // Valid UTF-8, which is unchanged: characters in and outside the private use areas.
        let texts = Data("p=\u{F7E9}\u{E000}; q=caf\u{E9}".utf8)
        let head = Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nSet-Cookie: a=".utf8) + bytes
        let more = Data("\r\nSet-Cookie: p=\u{F7E9}\u{E000}\r\nSet-Cookie: q=caf\u{E9}\r\n\r\nok".utf8)
        let server = try LoopbackServer { _ in .raw(head + more, then: .keepAlive) }
        let jar = CookieJar()
        try await Wire.curl.withTransport { transport in
            let client = client(transport, server, jar)
            for _ in 0..<2 { _ = try await client.send(.get("/")) }
        }
        let line = Data("Cookie: a=".utf8) + bytes + Data("; ".utf8) + texts + Data("\r\n".utf8)
        #expect(server.requests.last?.head.range(of: line) != nil)
    }

    @Test(arguments: Wire.all)
    func `a cookie set by hand wins`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let jar = CookieJar()
        for header in ["a=1", "b=2"] { jar.set(fromHeader: header, for: server.url) }
        try await wire.withTransport { transport in
            _ = try await client(transport, server, jar).send(.get("/", headers: ["Cookie": "b=mine"]))
        }
        #expect(cookies(server) == ["b=mine; a=1"])
    }

    @Test func `every transport sends the same bytes`() async throws {
        let headers = [
            "a=1; Path=/", "b=\"quoted, value\"; Path=/x", "empty=; Path=/", "e=x=y==; Path=/",
            "u=\u{E9}\u{1F36A}; Path=/", "blank=a b; Path=/", "long=\(String(repeating: "l", count: 4_000)); Path=/x",
            "nameless; Path=/",
        ]
        var sent: Set<String> = []
        for wire in Wire.all {
            let server = try LoopbackServer { _ in .text("ok") }
            let jar = CookieJar()
            for header in headers { jar.set(fromHeader: header, for: server.url) }
            try await wire.withTransport { _ = try await client($0, server, jar).send(.get("/x")) }
            sent.insert(try #require(cookies(server).first ?? nil))
        }
        #expect(sent.count == 1)
        #expect(sent.first?.hasPrefix("b=\"quoted, value\"; long=lll") == true)
        #expect(sent.first?.hasSuffix("ll; a=1; empty=; e=x=y==; u=\u{E9}\u{1F36A}; blank=a b; nameless") == true)
    }

    /// A call that is redirected to another site and back, and the cookies of its three requests.
    struct Journey: Sendable {
        var method: HTTPMethod
        var status: Int
        var sent: [String?]
    }

    @Test(
        arguments: Wire.distinct,
        [
            Journey(method: .get, status: 302, sent: ["lax=1; strict=2; plain=3", "lax=4", "lax=1; plain=3"]),
            Journey(method: .post, status: 307, sent: ["lax=1; strict=2; plain=3", nil, nil]),
            Journey(method: .post, status: 302, sent: ["lax=1; strict=2; plain=3", "lax=4", "lax=1; plain=3"]),
        ])
    func `after a redirect to another site cookies with rules are withheld, and new ones kept`(
        wire: Wire, journey: Journey
    ) async throws {
        let jar = CookieJar()
        let server = try LoopbackServer { request in
            let port = request.headers["Host"]?.split(separator: ":").last ?? ""
            let next = ["/1": "http://localhost:\(port)/2", "/2": "http://127.0.0.1:\(port)/3"][request.path]
            guard let next else { return LoopbackResponse.text("ok").header("Set-Cookie", "new=5; SameSite=Strict") }
            return .redirect(to: next, status: journey.status)
        }
        for header in ["lax=1; SameSite=Lax", "strict=2; SameSite=Strict", "plain=3"] {
            jar.set(fromHeader: header, for: server.url)
        }
        let other = try #require(URL(string: "http://localhost:\(server.port)/"))
        for header in ["lax=4; SameSite=Lax", "strict=6; SameSite=Strict"] { jar.set(fromHeader: header, for: other) }
        try await wire.withTransport { transport in
            _ = try await client(transport, server, jar).send(Endpoint(path: "/1", method: journey.method))
        }
        #expect(cookies(server) == journey.sent)
        #expect(server.requests.last?.method == (journey.status == 307 ? journey.method : .get))
        #expect(jar.cookies(for: server.url).map(\.name).contains("new"))
    }

    @Test(arguments: Wire.distinct)
    func `many calls share one jar`(wire: Wire) async throws {
        let server = try LoopbackServer { request in
            LoopbackResponse.text("ok").header("Set-Cookie", "k\(request.path.utf8.count)=1; Path=/")
        }
        let jar = CookieJar()
        try await wire.withTransport { transport in
            let client = client(transport, server, jar)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        let path = "/" + String(repeating: "p", count: number % 20)
                        _ = try await client.send(.get(path))
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(jar.cookies(for: server.url).count == 20)
        #expect(server.requests.count == 200)
    }
}
