import Testing

@testable import NetworkEngine
@testable import NetworkEngineResilience

/// The share of calls that are answered in time, of those that a server can answer.
@Suite(.timeLimit(.minutes(5))) struct GoodputTests {
    private typealias Server = ServiceSimulation.Server

    private static let servers = [
        Server(latency: 0.1, workers: 10, deadline: 5), Server(latency: 0.1, workers: 10, deadline: 1),
        Server(latency: 0.1, workers: 10, deadline: 0.5), Server(latency: 0.1, workers: 6, deadline: 1),
        Server(latency: 0.1, workers: 20, deadline: 1), Server(latency: 0.02, workers: 4, deadline: 0.2),
        Server(latency: 0.5, workers: 50, deadline: 2), Server(latency: 1, workers: 10, deadline: 5),
        Server(latency: 0.1, workers: 64, deadline: 5), Server(latency: 0.1, workers: 1000, deadline: 5, perHost: 6),
        Server(latency: 1, workers: 10, deadline: 3), Server(latency: 1, workers: 20, deadline: 3),
        Server(latency: 0.5, workers: 5, deadline: 2), Server(latency: 1, workers: 4, deadline: 10),
    ]

    /// The same servers, but the queue has no information on what their calls have in common.
    private static let unknown = servers.map { server in
        var server = server
        server.kind = nil
        return server
    }

    @Test(arguments: servers + unknown, [0.5, 0.9])
    private func `below saturation nearly every call is answered`(server: Server, load: Double) {
        let outcome = ServiceSimulation.run(server, calls: 2000, perSecond: load * server.capacity)
        // The last calls are answered after the last one has started.
        let expected = 2000 - load * server.capacity * server.latency * 1.5
        #expect(Double(outcome.answered) >= 0.95 * expected)
    }

    @Test(arguments: servers, [1.1, 2, 4])
    private func `beyond saturation the server still answers what it can`(server: Server, load: Double) {
        let outcome = ServiceSimulation.run(server, calls: 6000, perSecond: load * server.capacity)
        #expect(Double(outcome.answered) >= 0.9 * server.capacity * outcome.seconds)
    }

    @Test(arguments: unknown, [1.1, 2])
    private func `also calls of which nothing is known leave the server its answers`(server: Server, load: Double) {
        let outcome = ServiceSimulation.run(server, calls: 6000, perSecond: load * server.capacity)
        #expect(Double(outcome.answered) >= 0.85 * server.capacity * outcome.seconds)
    }

    @Test(arguments: servers)
    private func `a server with twice the load answers nearly what it can, from the first minute on`(server: Server) {
        let count = min(6000, Int(120 * server.capacity))
        let outcome = ServiceSimulation.run(server, calls: count, perSecond: 2 * server.capacity)
        // Nothing can be answered before the first latency has passed.
        #expect(Double(outcome.answered) >= 0.95 * server.capacity * (outcome.seconds - server.latency))
    }

    @Test func `a healthy server answers a hundred calls a second under the default limits`() {
        let server = Server(latency: 0.1, workers: 1000, deadline: 5)
        let outcome = ServiceSimulation.run(server, calls: 2000, perSecond: 100)
        #expect(outcome.answered >= 1980)
    }
}
