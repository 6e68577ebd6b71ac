import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Shutdown and callbacks over every transport. `StormTests` contains the cancellation storms.
@Suite(.serialized, .timeLimit(.minutes(5))) struct LifecycleFaults {
    /// Opens a barrier when the given number of requests wait in a queue.
    private struct QueueWatch: NetworkObserver {
        let limit: Int
        let isFull = LoopbackBarrier()
        private let count = Locked(0)

        init(limit: Int) { self.limit = limit }

        func handle(_ event: NetworkEvent) {
            guard case .queued = event.kind else { return }
            let count = count.withLock { count in
                count += 1
                return count
            }
            if count == limit { isFull.open() }
        }
    }

    private func provider(
        over transport: any Transport,
        to server: LoopbackServer,
        observers: [any NetworkObserver] = []
    ) -> (NetworkProvider<ParityTarget>, ParityTarget) {
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        configuration.observers = observers
        return (NetworkProvider(configuration: configuration), ParityTarget(baseURL: server.url, wire: transport))
    }

    @Test(arguments: Wire.all)
    func `shutting down a transport with a hundred requests fails each of them once`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in .fault(.stall) }
        let line = wire.open(50)
        let watch = QueueWatch(limit: 50)
        let (provider, target) = provider(over: line.transport, to: server, observers: [watch])
        let deliveries = (0..<100).map { _ in Delivery<Result<User, NetworkError>>() }
        for delivery in deliveries {
            provider.request(target, as: User.self, queue: .global()) { delivery.add($0) }
        }
        try await server.wait { $0.requestCount == 50 }
        // A call that hasn't reached the transport yet would find it shut down.
        try await watch.isFull.opened()
        line.shutDown()
        for delivery in deliveries {
            guard case .failure(let error)? = await delivery.first() else { return #expect(Bool(false), "a value") }
            #expect(error.kind == .cancelled)
        }
        // A second callback from each would have arrived by now: later work passes through the same queues.
        let (last, _) = await RequestEngine.over(line.transport).ending(of: server.request())
        #expect(last == .failsAs(.unsupported))
        #expect(deliveries.allSatisfy { $0.all.count == 1 })
        try await server.wait { $0.openConnections == 0 }
    }

    @Test(arguments: Wire.all)
    func `a callback can start another call and cancel its own`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in .json(Scenario.ada) }
        try await wire.withTransport { transport in
            let (provider, target) = provider(over: transport, to: server)
            let own = Locked<(any NetworkRequest)?>(nil)
            let ends = Delivery<Result<User, NetworkError>>()
            let first = provider.request(target, as: User.self, queue: CallStyle.delivery) { _ in
                own.withLock { $0 }?.cancel()
                provider.request(target, as: User.self, queue: CallStyle.delivery) { ends.add($0) }
            }
            own.withLock { $0 = first }
            let user = try await ends.first()?.get()
            #expect(user == User(id: 7, name: "Ada"))
        }
        #expect(server.requests.count == 2)
    }
}
