import Foundation
import NetworkEngineInterop
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(1))) struct GuestCredentialTests {
    private static func authorization(_ request: LoopbackRequest) -> LoopbackResponse {
        .text(request.headers["Authorization"] ?? "none")
    }

    private static func token(_ url: URL) -> [any RequestInterceptor] { [TokenSource { "ours" }] }

    @Test(arguments: GuestStyle.allCases)
    func `a credential is added at its origin alone`(style: GuestStyle) async throws {
        let rig = try InteropRig(with: Self.token, handler: Self.authorization)
        let foreign = try LoopbackServer(handler: Self.authorization)
        let load = style.loader(rig)
        #expect(try await load(rig.request("a")).0 == Data("Bearer ours".utf8))
        #expect(try await load(URLRequest(url: foreign.url)).0 == Data("none".utf8))
    }

    @Test(arguments: GuestStyle.allCases)
    func `the Authorization of a guest stays, unless the client owns the origin`(style: GuestStyle) async throws {
        let theirs = ["Authorization": "Bearer theirs"]
        let rig = try InteropRig(with: Self.token, handler: Self.authorization)
        #expect(try await style.loader(rig)(rig.request("a", "GET", theirs)).0 == Data("Bearer theirs".utf8))
        let owning = try InteropRig(with: { [OwnedOrigins([$0])] + Self.token($0) }, handler: Self.authorization)
        let load = style.loader(owning)
        #expect(try await load(owning.request("a", "GET", theirs)).0 == Data("Bearer ours".utf8))
        let foreign = try LoopbackServer(handler: Self.authorization)
        var request = URLRequest(url: foreign.url)
        request.allHTTPHeaderFields = theirs
        #expect(try await load(request).0 == Data("Bearer theirs".utf8))
    }

    /// Records whether each request may get the client certificate.
    private struct Certificates: ExchangeInterceptor {
        let policy: TLSPolicy
        let shown = Locked<[Bool]>([])

        var stage: InterceptorStage { .sending }

        init(_ hosts: Set<String> = []) {
            var policy = TLSPolicy()
            policy.clientCertificate = .pem(
                certificate: URL(fileURLWithPath: "/c"), key: URL(fileURLWithPath: "/k"))
            policy.clientCertificateHosts = hosts
            self.policy = policy
        }

        func intercept(_ request: HTTPRequest, context: RequestContext, next: @escaping Next) async throws
            -> HTTPResponse
        {
            let isForeign = request.secrets?.isForeign == true
            let isShown = policy.showsClientCertificate(to: request.url.host ?? "", isForeign: isForeign)
            shown.withLock { $0.append(isShown) }
            return try await next(request)
        }
    }

    @Test(arguments: GuestStyle.allCases)
    func `a client certificate is for the client's origin, whatever addresses guests choose`(
        style: GuestStyle
    ) async throws {
        let certificates = Certificates()
        let foreign = try LoopbackServer { _ in .text("foreign") }
        let rig = try InteropRig(with: { _ in [certificates] }) { [url = foreign.url] request in
            request.path == "/moved" ? .redirect(to: url.absoluteString) : .text("own")
        }
        let load = style.loader(rig)
        _ = try await load(rig.request("a"))
        _ = try await load(URLRequest(url: foreign.url))
        _ = try await load(rig.request("moved"))
        #expect(certificates.shown.withLock { $0 } == [true, false, true, false])
    }

    @Test(arguments: GuestStyle.allCases)
    func `a host that the policy names gets the client certificate from guests, too`(style: GuestStyle) async throws {
        let certificates = Certificates(["127.0.0.1", "localhost"])
        let foreign = try LoopbackServer { _ in .text("foreign") }
        let rig = try InteropRig(with: { _ in [certificates] }) { _ in .text("own") }
        _ = try await style.loader(rig)(URLRequest(url: foreign.url))
        #expect(certificates.shown.withLock { $0 } == [true])
    }

    @Test(arguments: Wire.all, GuestStyle.allCases)
    func `a hundred calls with an old token make one refresh`(wire: Wire, style: GuestStyle) async throws {
        let refresh = CountedRefresh()
        let rig = try InteropRig(wire, with: { [refresh.refresher($0)] }, handler: CountedRefresh.answer)
        let load = style.loader(rig)
        let requests = (0..<100).map { number in
            var request = rig.request("\(number)", number.isMultiple(of: 2) ? "GET" : "POST")
            if !number.isMultiple(of: 2) { request.httpBody = Data("/\(number)".utf8) }
            return request
        }
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for request in requests {
                group.addTask { String(decoding: try await load(request).0, as: UTF8.self) }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(texts == Set((0..<100).map { "/\($0)" }))
        #expect(refresh.count.withLock { $0 } == 1)
        #expect((101...200).contains(rig.server.requests.count { $0.path != "/token" }))
    }
}
