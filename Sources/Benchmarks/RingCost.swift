import Foundation
import NetworkEngine
import NetworkEngineResilience

/// Measures the cost of the recommended interceptors for a successful call, compared with an engine without any.
enum RingCost {
    static func run() async throws {
        let contenders = lists.flatMap { name, list in
            [Contender(name, list), Contender(name + ", deadline", list, deadline: .seconds(60))]
        }
        // In turns, so that a slow moment on the machine affects all contenders.
        for _ in 0..<25 {
            for contender in contenders { try await contender.run() }
        }
        var table = Table(
            "The recommended interceptors on a successful call (limit: 4 µs more than without)",
            columns: ["interceptors", "µs, median of 24", "more", "best", "more"]
        )
        for (index, contender) in contenders.enumerated() {
            let base = contenders[index % 2]
            table.add(
                contender.name,
                contender.times.median.rounded(to: 2),
                (contender.times.median - base.times.median).rounded(to: 2),
                contender.best.rounded(to: 2),
                (contender.best - base.best).rounded(to: 2)
            )
        }
        table.print()
    }

    private static var lists: [(String, [any RequestInterceptor])] {
        let refresher = TokenRefresher(store: InMemoryCredentialStore(BearerToken("t"))) { old, _ in old }
        return [
            ("none", []),
            ("IdempotencyKey", [IdempotencyKey()]),
            ("OfflinePolicy", [OfflinePolicy()]),
            ("RetryPolicy", [RetryPolicy()]),
            ("TokenRefresher", [refresher]),
            ("CircuitBreaker", [CircuitBreaker()]),
            ("ConcurrencyLimit", [ConcurrencyLimit()]),
            (".recommended()", .recommended()),
            (".recommended(credential:)", .recommended(credential: refresher)),
        ]
    }

    /// A provider, and the times of its calls.
    private final class Contender {
        let name: String
        private let provider: NetworkProvider<Thing>
        private var all: [Double] = []

        init(_ name: String, _ interceptors: [any RequestInterceptor], deadline: Duration? = nil) {
            self.name = name
            var configuration = NetworkConfiguration()
            configuration.transport = Prompt()
            configuration.deadline = deadline
            provider = NetworkProvider(interceptors: interceptors, configuration: configuration)
        }

        /// Times in microseconds, without the first call, which warms up.
        var times: ArraySlice<Double> { all.dropFirst() }
        var best: Double { times.min() ?? .nan }

        func run() async throws {
            let start = ContinuousClock.now
            for number in 0..<4_000 { _ = try await provider.send(.thing(number)) }
            all.append((ContinuousClock.now - start).microseconds / 4_000)
        }
    }

    /// Responds immediately and, like the package's transports, needs no separate task.
    private struct Prompt: TransportDriver {
        var identity: ObjectIdentifier? { nil }

        func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
            context.admitted()
            return HTTPResponse(statusCode: 200, request: request)
        }
    }
}
