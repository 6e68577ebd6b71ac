import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineDigest
@testable import NetworkEngineTesting

/// Digest and Basic authentication over real sockets, with every transport.
@Suite(.timeLimit(.minutes(5))) struct DigestTransportTests {
    private static func server(_ authority: DigestAuthority) throws -> LoopbackServer {
        try LoopbackServer { request in
            let decision = authority.decide(
                method: request.method,
                target: request.target,
                authorization: request.headers["Authorization"],
                bodyDigest: authority.hash(String(decoding: request.body, as: UTF8.self))
            )
            var response = LoopbackResponse.text(decision.status == 200 ? "ok" : "denied", status: decision.status)
            for field in decision.headers { response = response.header(field.name, field.value) }
            return response
        }
    }

    private func client(
        _ server: LoopbackServer,
        _ transport: any Transport,
        _ interceptors: [any RequestInterceptor]
    ) -> HTTPClient {
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        return HTTPClient(baseURL: server.url, interceptors: interceptors, configuration: configuration)
    }

    @Test(
        arguments: Wire.all,
        [
            "", "?x=1", "/a%20b/%7Eada?x=%2F&y=a+b", "/a/b//c?d=/../e", "/ü/ñ?ö=1", "/a;b=c,d:e@f'(g)!$&*=?h?i/j",
            "/a%2Fb?",
        ])
    func `an answer is for the address as it is sent`(wire: Wire, path: String) async throws {
        let authority = DigestAuthority()
        let server = try Self.server(authority)
        try await wire.withTransport { transport in
            let client = client(server, transport, [DigestAuth(username: "ada", password: "pa ss")])
            for _ in 1...2 { try await client.send(.get(path)) }
        }
        #expect(authority.findings.accepted == 2 && authority.findings.rejected == 0)
        #expect(authority.findings.answers.allSatisfy { $0["uri"] == server.requests.first?.target })
    }

    @Test(arguments: Wire.all, ["MD5", "SHA-256-sess", "SHA-512-256"])
    func `a body is answered with auth-int`(wire: Wire, algorithm: String) async throws {
        var options = DigestAuthority.Options()
        (options.qop, options.algorithm) = ("auth-int", algorithm)
        let authority = DigestAuthority(options)
        let server = try Self.server(authority)
        try await wire.withTransport { transport in
            let client = client(server, transport, [DigestAuth(username: "ada", password: "pa ss")])
            for body in ["", "x", String(repeating: "0123456789", count: 1000)] {
                try await client.send(.post("/a").body(Data(body.utf8)))
            }
        }
        #expect(authority.findings.accepted == 3 && authority.findings.challenges == 1)
    }

    @Test(arguments: Wire.all) func `several challenges in several fields are read`(wire: Wire) async throws {
        let server = try LoopbackServer { request in
            if request.headers.contains("Authorization") { return .text("ok") }
            return .text("denied", status: 401)
                .header("WWW-Authenticate", "Basic realm=\"a, b\"")
                .header("WWW-Authenticate", "Digest realm=\"r\", nonce=\"n\", algorithm=MD5, Negotiate")
                .header("WWW-Authenticate", "Digest realm=\"r\", nonce=\"n\", qop=\"auth\", algorithm=SHA-256")
        }
        _ = try await wire.withTransport { transport in
            try await client(server, transport, [DigestAuth(username: "ada", password: "p")]).send(.get("/"))
        }
        #expect(server.requests.last?.headers["Authorization"]?.contains("algorithm=SHA-256") == true)
    }

    @Test(arguments: Wire.all) func `a user name that is not ASCII is sent as UTF-8`(wire: Wire) async throws {
        let authority = DigestAuthority(username: "J\u{E4}s\u{F8}n", password: "\u{FC}")
        let server = try Self.server(authority)
        try await wire.withTransport { transport in
            let digest = DigestAuth(username: "J\u{E4}s\u{F8}n", password: "\u{FC}")
            try await client(server, transport, [digest]).send(.get("/"))
        }
        #expect(authority.findings.answers.first?["username"] == "J\u{E4}s\u{F8}n")
    }

    @Test(arguments: Wire.all) func `a redirect to another origin carries no credential`(wire: Wire) async throws {
        let other = try LoopbackServer { _ in .text("ok") }
        let authority = DigestAuthority()
        let server = try LoopbackServer { request in
            let decision = authority.decide(
                method: request.method, target: request.target, authorization: request.headers["Authorization"])
            if decision.status == 200 || request.target.hasPrefix("/basic") {
                return .redirect(to: "http://localhost:\(other.port)\(request.target)")
            }
            var response = LoopbackResponse.text("denied", status: 401)
            for field in decision.headers { response = response.header(field.name, field.value) }
            return response
        }
        try await wire.withTransport { transport in
            try await client(server, transport, [DigestAuth(username: "ada", password: "pa ss")]).send(.get("/digest"))
            let key = APIKeyAuth(key: "secret-key", in: .query("key"))
            let basic = BasicAuth(username: "ada", password: "pa ss")
            try await client(server, transport, [basic, key]).send(.get("/basic"))
        }
        #expect(server.requests.last?.target == "/basic?key=secret-key")
        #expect(server.requests.last?.headers["Authorization"]?.hasPrefix("Basic ") == true)
        #expect(other.requests.map(\.target) == ["/digest", "/basic"])
        #expect(other.requests.allSatisfy { !$0.headers.contains("Authorization") })
    }
}
