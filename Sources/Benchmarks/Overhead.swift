import CAllocationCounter
import Foundation
import NetworkEngine

/// Measures the framework's own cost: calls over transports that respond immediately.
enum Overhead {
    static func run() async throws {
        var table = Table(
            "Overhead of one awaited call, nothing decoded (limit: 5 µs, 25 allocations)",
            columns: ["call", "µs, median of 9", "best", "allocations", "µs after 200,000 calls"]
        )
        for setup in Setup.all {
            let provider = setup.provider
            var figures: [Figure] = []
            for _ in 0..<10 { figures.append(try await measure(provider, calls: 20_000)) }
            let times = figures.dropFirst().map(\.microseconds)
            table.add(
                setup.name,
                times.median.rounded(to: 2),
                (times.min() ?? .nan).rounded(to: 2),
                (figures.map(\.allocations).min() ?? .nan).rounded(to: 1),
                (figures.last?.microseconds ?? .nan).rounded(to: 2)
            )
        }
        table.print()
    }

    private struct Figure {
        let microseconds: Double
        let allocations: Double
    }

    private static func measure(_ provider: NetworkProvider<Thing>, calls: Int) async throws -> Figure {
        let allocations = allocation_count()
        let start = ContinuousClock.now
        for number in 0..<calls { _ = try await provider.send(.thing(number)) }
        let time = ContinuousClock.now - start
        let count = Double(allocation_count() - allocations)
        return Figure(microseconds: time.microseconds / Double(calls), allocations: count / Double(calls))
    }
}

private struct Setup {
    let name: String
    let provider: NetworkProvider<Thing>

    init(
        _ name: String,
        _ transport: any Transport,
        interceptors: [any RequestInterceptor] = [Pass(), Pass(), Pass()],
        deadline: Duration? = nil,
        observers: [any NetworkObserver] = []
    ) {
        self.name = name
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        configuration.timeout = .seconds(30)
        configuration.deadline = deadline
        configuration.observers = observers
        provider = NetworkProvider(interceptors: interceptors, configuration: configuration)
    }

    private static let refresher = TokenRefresher(store: InMemoryCredentialStore(BearerToken("token"))) { old, _ in old
    }

    static let all = [
        Setup("any transport, timeout and deadline, 3 interceptors", Instant(), deadline: .seconds(60)),
        Setup("any transport, timeout, 3 interceptors", Instant()),
        Setup("own transport, timeout and deadline, 3 interceptors", Own(), deadline: .seconds(60)),
        Setup(
            "own transport, timeout and deadline, 3 interceptors that never wait",
            Own(),
            interceptors: [Stamp(), Stamp(), Stamp()],
            deadline: .seconds(60)
        ),
        Setup("own transport, timeout, 3 interceptors", Own()),
        Setup("own transport, timeout, no interceptor", Own(), interceptors: []),
        Setup("own transport, timeout, an observer", Own(), interceptors: [], observers: [Idle()]),
        Setup("own transport, timeout, a token refresher", Own(), interceptors: [Self.refresher]),
    ]
}

/// Responds immediately, without the engine's timeout.
private struct Instant: Transport {
    func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
        HTTPResponse(statusCode: 200, request: request)
    }
}

/// Responds immediately and, like the package's transports, needs no separate task.
private struct Own: TransportDriver {
    var identity: ObjectIdentifier? { nil }

    func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
        context.admitted()
        return HTTPResponse(statusCode: 200, request: request)
    }
}

private struct Pass: RequestInterceptor {
    func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest { request }
}

private struct Stamp: RequestInterceptor {
    var mayWait: Bool { false }

    func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest { request }
}

/// Receives events and does nothing.
struct Idle: NetworkObserver {
    func handle(_ event: NetworkEvent) {}
}

/// A target for calls that are not sent.
enum Thing: TargetType {
    case thing(Int)

    static let base = URL(string: "https://api.example.com/v1")

    var baseURL: URL { Self.base ?? URL(fileURLWithPath: "/") }
    var path: String { "/things/7" }
    var method: HTTPMethod { .get }
    var task: NetworkTask { .requestPlain }
}
