import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// The request after a redirect.
@Suite(.serialized, .timeLimit(.minutes(5))) struct RedirectMethodFaults {
    private static let methods: [HTTPMethod] = [.get, .head, .post, .put, .delete, .patch, .query]

    /// The method of the second request; `nil` if there is none.
    private static func next(_ status: Int, _ method: HTTPMethod) -> HTTPMethod? {
        switch (status, method) {
        case (300, _), (304, _), (305, _): nil
        case (303, .head): .head
        case (303, _), (301, .post), (302, .post): .get
        default: method
        }
    }

    @Test(arguments: [301, 302, 303, 307, 308, 300, 304, 305], Wire.all)
    func `method and body follow the redirect's status`(status: Int, wire: Wire) async throws {
        let server = try LoopbackServer {
            $0.path == "/next" ? .text("arrived") : .redirect(to: "/next", status: status)
        }
        try await wire.withTransport { transport in
            for method in Self.methods {
                let sends = method != .get && method != .head
                let request = server.request(
                    method: method,
                    headers: sends ? ["Content-Type": "text/x", "Content-Language": "en"] : [:],
                    body: sends ? .data(Data("abc".utf8)) : .absent
                )
                let before = server.requests.count
                let (ending, _) = await RequestEngine.over(transport).ending(of: request)
                let seen = server.requests.dropFirst(before)
                let next = Self.next(status, method)
                #expect(seen.map(\.method) == [method] + (next.map { [$0] } ?? []))
                #expect(ending == .response(next == nil ? status : 200, next == nil || next == .head ? "" : "arrived"))
                guard next != nil, let last = seen.last else { continue }
                let keepsBody = sends && next == method
                #expect(last.text == (keepsBody ? "abc" : ""), "\(method)")
                #expect(last.headers.contains("Content-Language") == keepsBody, "\(method)")
                #expect((last.headers["Content-Type"] == "text/x") == keepsBody, "\(method)")
            }
        }
    }

    private static let secrets: HTTPHeaders = [
        "Authorization": "s", "Proxy-Authorization": "s", "Cookie": "s", "X-Api-Key": "s",
    ]

    @Test(arguments: ["127.0.0.1", "localhost"], Wire.all)
    func `secrets stay at their origin and are not sent again on the way back`(host: String, wire: Wire) async throws {
        let other = try LoopbackServer { .redirect(to: "http://127.0.0.1:\($0.headers["X-Home"] ?? "")/last") }
        let server = try LoopbackServer {
            $0.path == "/last" ? .text("home") : .redirect(to: "http://\(host):\(other.port)/")
        }
        try await wire.withTransport { transport in
            let headers = Self.secrets.merging(["X-Home": "\(server.port)"])
            let engine = RequestEngine.over(transport) { $0.redirects.headersToOtherOrigins = ["X-Home"] }
            let (ending, _) = await engine.ending(of: server.request(headers: headers))
            #expect(ending == .ok("home"))
        }
        let (first, away, back) = (server.requests.first, other.requests.first, server.requests.last)
        for field in Self.secrets {
            #expect(first?.headers[field.name] == "s", "\(field.name)")
            #expect(away?.headers.contains(field.name) == false, "\(field.name)")
            #expect(back?.headers.contains(field.name) == false, "\(field.name)")
        }
        #expect(away?.headers["Host"] == "\(host):\(other.port)")
    }

    @Test(arguments: Wire.all)
    func `the deadline covers all redirects`(wire: Wire) async throws {
        let third = LoopbackBarrier()
        let server = try LoopbackServer {
            let number = Int($0.path.dropFirst()) ?? 0
            let answer = LoopbackResponse.redirect(to: "/\(number + 1)")
            return number == 2 ? answer.held(by: third) : answer
        }
        let clock = TestClock()
        try await wire.withTransport { transport in
            let engine = RequestEngine.over(transport) { ($0.deadline, $0.clock) = (.seconds(3), clock) }
            async let call = engine.ending(of: server.request())
            try await third.arrivals(atLeast: 1)
            clock.advance(by: .seconds(3))
            #expect(await call.ending == .fails(.timeout(.deadline)))
        }
        #expect(server.requests.count == 3)
    }

    @Test(arguments: Wire.all)
    func `a call that is canceled between two redirects follows no more`(wire: Wire) async throws {
        let barrier = LoopbackBarrier()
        let server = try LoopbackServer { _ in .redirect(to: "/next").held(by: barrier) }
        try await wire.withTransport { transport in
            let call = Task { await RequestEngine.over(transport).ending(of: server.request()).ending }
            try await barrier.arrivals(atLeast: 1)
            call.cancel()
            #expect(await call.value == .failsAs(.cancelled))
            try await server.wait { $0.openConnections == 0 }
        }
        #expect(server.requests.count == 1)
    }
}

extension RequestEngine {
    /// An engine without interceptors.
    static func over(
        _ transport: any Transport,
        _ configure: (inout NetworkConfiguration) -> Void = { _ in }
    ) -> RequestEngine {
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        // Anything that takes this long hangs.
        configuration.timeout = .seconds(20)
        configure(&configuration)
        return RequestEngine(interceptors: [], configuration: configuration)
    }
}
