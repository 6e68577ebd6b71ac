import NetworkEngine
import NetworkEngineTesting
import UserDirectory

extension Step {
    static let offline = Step("offline", "Makes calls without a network, which returns later.") { stage in
        var configuration = stage.configuration
        let (service, attempts) = (stage.service, AttemptWatch())
        configuration.baseURL = { _ in service.anyAddressURL }
        configuration.observers.append(attempts)
        let before = service.requestCount("/users")
        // sample
        let network = ScriptedReachability(.offline)
        let offline = OfflinePolicy(
            .waitForConnection(max: .seconds(10)),
            reachability: Reachability(network, debounce: .zero), isGate: true)
        let provider = NetworkProvider<ServiceAPI>(
            interceptors: [offline, RetryPolicy()], configuration: configuration)
        let calls = (1...3).map { provider.start(.user($0), as: User.self) }
        await attempts.wait(for: calls.count)
        let sent = service.requestCount("/users") - before
        network.set(.online)
        let users = try await calls.values
        // end
        try TourFailure.check(sent == 0, "The service received \(sent) requests without a network.")
        return [
            "\(users.count) calls wait for the network. Nothing is sent.",
            "When it is back: \(users.map(\.firstName).joined(separator: ", ")).",
        ]
    }
}

extension [RequestHandle<User>] {
    /// The values of all calls in order.
    fileprivate var values: [User] {
        get async throws(NetworkError) {
            var values: [User] = []
            for call in self { values.append(try await call.value) }
            return values
        }
    }
}

/// Observes the starts of attempts.
private struct AttemptWatch: NetworkObserver {
    private let starts: AsyncStream<Void>
    private let start: AsyncStream<Void>.Continuation

    init() { (starts, start) = AsyncStream.makeStream() }

    func handle(_ event: NetworkEvent) {
        if case .attemptStarted = event.kind { start.yield() }
    }

    /// Returns when the given number of attempts have started.
    func wait(for count: Int) async {
        for await _ in starts.prefix(count) {}
    }
}
