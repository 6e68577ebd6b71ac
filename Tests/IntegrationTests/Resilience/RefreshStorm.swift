import Foundation
import TestSupport

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Many concurrent calls with an expired credential, over sockets.
final class RefreshStorm: Sendable {
    struct Target: TargetType {
        let number: Int
        let baseURL: URL
        var path: String { "/things" }
        var method: HTTPMethod { .get }
        var task: NetworkTask { .requestPlain }
        var headers: HTTPHeaders { ["X-Call": "\(number)"] }
    }

    private struct Tokens: Decodable { let token: String }

    /// How a call ended: with a status, an error kind, or both.
    struct Ending: Hashable { let kind: NetworkErrorKind? }

    let store = InMemoryCredentialStore(BearerToken("old", refreshToken: "r"))
    let clock = TestClock()
    /// Holds the token endpoint's responses.
    let barrier = LoopbackBarrier()
    private let exchanges: Locked<[String: Int]>
    private let refreshes: Locked<Int>
    private let server: LoopbackServer
    private let transport = URLSessionTransport(configuration: .ephemeral)
    private let provider: NetworkProvider<Target>

    init(answering answer: LoopbackResponse, interceptors: [any RequestInterceptor] = []) throws {
        let exchanges = Locked<[String: Int]>([:])
        let refreshes = Locked(0)
        let barrier = barrier
        server = try LoopbackServer { request in
            if request.path == "/token" {
                refreshes.withLock { $0 += 1 }
                return answer.held(by: barrier)
            }
            exchanges.withLock { $0[request.headers["X-Call"] ?? "", default: 0] += 1 }
            return request.headers["Authorization"] == "Bearer new" ? .json("{}") : .status(401)
        }
        self.exchanges = exchanges
        self.refreshes = refreshes
        var options = RefreshOptions()
        options.clock = clock
        let tokenURL = server.url.appendingPathComponent("token")
        let refresher = TokenRefresher(store: store, options: options) { _, context in
            let answer = try await context.send(HTTPRequest(method: .post, url: tokenURL))
            return BearerToken(try JSONDecoder().decode(Tokens.self, from: answer.data).token, refreshToken: "r2")
        }
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        provider = NetworkProvider(interceptors: [refresher] + interceptors, configuration: configuration)
    }

    deinit {
        transport.shutdown()
        server.stop()
    }

    var refreshCount: Int { refreshes.withLock { $0 } }
    var mostExchanges: Int { exchanges.withLock { $0.values.max() ?? 0 } }

    /// Starts calls. Each task returns how its call ended.
    func start(_ count: Int) -> [Task<Ending, Never>] {
        (0..<count).map { number in
            Task { [provider, url = server.url] in
                do throws(NetworkError) {
                    _ = try await provider.send(Target(number: number, baseURL: url))
                    return Ending(kind: nil)
                } catch {
                    return Ending(kind: error.kind)
                }
            }
        }
    }

    /// Advances the time until canceled: a call that came too late for a refresh may start another one that hangs.
    func ticking() -> Task<Void, Never> {
        Task { [clock] in
            while !Task.isCancelled {
                await clock.untilSleeping()
                clock.advance(by: .seconds(30))
                await Task.yield()
            }
        }
    }

    /// The number of calls for each ending.
    static func endings(of calls: [Task<Ending, Never>]) async -> [NetworkErrorKind?: Int] {
        var endings: [NetworkErrorKind?: Int] = [:]
        for call in calls { endings[await call.value.kind, default: 0] += 1 }
        return endings
    }
}
