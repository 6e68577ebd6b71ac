import Dispatch
import Foundation
import TestSupport

@testable import NetworkEngine

/// Makes calls continuously, cancels each at a different moment, and checks that nothing is left afterwards.
final class Storm: Sendable {
    private typealias Outcome = Result<StormUser, NetworkError>

    private struct WeakRequest: Sendable {
        weak let request: (any NetworkRequest)?
    }

    let callbacks = Tally()
    private let table = StormTable()
    private let alive = Tally()
    private let running = Tally()
    private let found = Locked<[String]>([])
    private let requests = Locked<[WeakRequest]>([])
    private let cancelled = Locked<Set<StormCall.Phase>>([])

    /// The phases that had at least one call canceled in time.
    var cancelledPhases: Set<StormCall.Phase> { cancelled.withLock { $0 } }

    /// Descriptions of the failures.
    var complaints: [String] { found.withLock { $0 } }

    /// Makes the calls, and returns when they have left nothing behind.
    func blow(_ count: Int, over sort: StormWire.Sort) async throws {
        let wire = try StormWire(sort, table)
        await makeCalls(count, over: wire)
        if callbacks.count != count { complain("\(callbacks.count) callbacks for \(count) calls") }
        try await wire.close()
        await running.wait { $0 == 0 }
        await alive.wait { $0 == 0 }
        // The job that has just called back is the last owner of the handle.
        while requests.withLock({ $0.contains { $0.request != nil } }) { await Task.yield() }
        if callbacks.count != count { complain("\(callbacks.count) callbacks in the end") }
    }

    private func makeCalls(_ count: Int, over wire: StormWire) async {
        var configuration = NetworkConfiguration()
        configuration.transport = wire
        if let key = StormTable.key { configuration.decoder.userInfo[key] = table }
        let watcher = StormWatcher(table, running: running, alive: alive)
        let provider = NetworkProvider<StormTarget>(interceptor: watcher, configuration: configuration)
        let workers = 16
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<workers {
                group.addTask {
                    for number in stride(from: worker, to: count, by: workers) {
                        await self.makeCall(number, StormTarget(number: number, baseURL: wire.url), provider)
                    }
                }
            }
        }
    }

    private func makeCall(_ number: Int, _ target: StormTarget, _ provider: NetworkProvider<StormTarget>) async {
        let call = StormCall(number: number, alive: alive)
        table.add(call, number)
        let delivery = Delivery<Outcome>()
        let request = start(number, target, provider) { [callbacks] outcome in
            callbacks.add()
            delivery.add(outcome)
        }
        requests.withLock { $0.append(WeakRequest(request: request)) }
        call.started(request)
        guard let outcome = await delivery.first() else { return }
        if let fault = call.complaint(outcome, request) { complain("call \(number): \(fault)") }
        if request.isCancelled { cancelled.withLock { _ = $0.insert(call.phase) } }
        table.remove(number)
    }

    /// Alternates between a queue, the main actor, a handle, and a task that awaits the call.
    private func start(
        _ number: Int,
        _ target: StormTarget,
        _ provider: NetworkProvider<StormTarget>,
        completion: @escaping @Sendable (Outcome) -> Void
    ) -> any NetworkRequest {
        switch number % 4 {
        case 0: return provider.request(target, queue: .global(), completion: completion)
        case 1: return provider.request(target) { completion($0) }
        case 2: return AwaitedRequest({ try await provider.request(target) }, completion: completion)
        default:
            let handle = provider.start(target, as: StormUser.self)
            Task { completion(await handle.result) }
            return handle
        }
    }

    private func complain(_ complaint: String) { found.withLock { $0.append(complaint) } }
}
