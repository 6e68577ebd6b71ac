import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct RedirectFollowerTests {
    private func follow(
        policy: RedirectPolicy = .follow,
        _ location: @escaping @Sendable (Int) -> String?
    ) async throws -> (response: HTTPResponse, hops: Int) {
        let hops = Locked(0)
        let mock = MockTransport(
            .handler { _ in
                let hop = hops.withLock { hops in
                    defer { hops += 1 }
                    return hops
                }
                return location(hop).map { .status(302, headers: ["Location": $0]) } ?? .status(200)
            }.repeating()
        )
        let timers = TimerQueue(timebase: .reading(TestClock()))
        let runner = ExchangeRunner(transport: mock, timeout: .seconds(60), timers: timers)
        let follower = RedirectFollower(policy, exchange: runner.exchange)
        let request = HTTPRequest(url: URL(string: "http://a.example/start")!)
        let response = try await follower.follow(request, context: RequestContext())
        return (response, hops.withLock { $0 })
    }

    @Test func `twenty redirects are followed`() async throws {
        let (response, hops) = try await follow { $0 < 20 ? "/\($0)" : nil }
        #expect(response.statusCode == 200)
        #expect(hops == 21)
        #expect(response.request.url.path == "/19")
    }

    @Test func `the twenty-first redirect is an error`() async {
        let error = await #expect(throws: NetworkError.self) { try await follow { "/\($0)" } }
        #expect(error?.kind == .redirect)
        #expect(error?.reason == "more than 20 redirects")
    }

    @Test func `a redirect loop ends at the limit`() async {
        let error = await #expect(throws: NetworkError.self) {
            try await follow { $0.isMultiple(of: 2) ? "/b" : "/start" }
        }
        #expect(error?.reason == "more than 20 redirects")
        let own = await #expect(throws: NetworkError.self) { try await follow { _ in "/start" } }
        #expect(own?.reason == "more than 20 redirects")
    }

    @Test func `an address that leads to itself a few times is followed until it answers`() async throws {
        let (response, hops) = try await follow { $0 < 3 ? "/start" : nil }
        #expect(response.statusCode == 200 && hops == 4)
    }

    @Test func `a redirect is a response when redirects are disabled`() async throws {
        let (response, hops) = try await follow(policy: .never) { "/\($0)" }
        #expect(response.statusCode == 302)
        #expect(hops == 1)
    }
}
