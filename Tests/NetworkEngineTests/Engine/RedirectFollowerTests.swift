import Foundation
import NetworkEngine
import Testing

@Suite(.timeLimit(.minutes(1))) struct RedirectFollowerTests {
    private func follow(
        policy: RedirectPolicy = .follow,
        _ location: @escaping @Sendable (Int) -> String?
    ) async throws(NetworkError) -> (response: HTTPResponse, hops: Int) {
        let hops = Locked(0)
        let follower = RedirectFollower(policy: policy) { request, _ throws(NetworkError) in
            let hop = hops.withLock { hops in
                defer { hops += 1 }
                return hops
            }
            guard let location = location(hop) else { return HTTPResponse(statusCode: 200, request: request) }
            return HTTPResponse(statusCode: 302, headers: ["Location": location], request: request)
        }
        let request = HTTPRequest(url: URL(string: "http://a.example/start")!)
        let response = try await follower.send(request, context: RequestContext())
        return (response, hops.withLock { $0 })
    }

    @Test func `72: twenty hops arrive`() async throws {
        let (response, hops) = try await follow { $0 < 20 ? "/\($0)" : nil }
        #expect(response.statusCode == 200)
        #expect(hops == 21)
        #expect(response.request.url.path == "/19")
    }

    @Test func `72: the twenty-first hop is an error`() async {
        let error = await #expect(throws: NetworkError.self) { try await follow { "/\($0)" } }
        #expect(error?.kind == .redirect)
        #expect(error?.reason == "more than 20 redirects")
    }

    @Test func `73: a circle is found when it closes`() async {
        let error = await #expect(throws: NetworkError.self) {
            try await follow { $0.isMultiple(of: 2) ? "/b" : "/start" }
        }
        #expect(error?.reason == "the redirects lead in a circle")
        let own = await #expect(throws: NetworkError.self) { try await follow { _ in "/start" } }
        #expect(own?.reason == "the redirects lead in a circle")
    }

    @Test func `redirects that are not to be followed are responses`() async throws {
        let (response, hops) = try await follow(policy: .never) { "/\($0)" }
        #expect(response.statusCode == 302)
        #expect(hops == 1)
    }
}
