import Foundation
import NetworkEngine

/// The record of a server, and those who wait for it to change.
final class LoopbackLog: Sendable {
    private struct State {
        var record = LoopbackRecord()
        var version = 0
        var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
        var cancelled: Set<Int> = []
        var waiterCount = 0
    }

    private let limit: Int
    private let state = Locked(State())

    init(limit: Int) { self.limit = limit }

    var record: LoopbackRecord { state.withLock { $0.record } }

    func change<Result>(_ body: (inout LoopbackRecord) -> Result) -> Result {
        let (result, waiters) = state.withLock { state in
            state.version += 1
            let result = body(&state.record)
            guard !state.waiters.isEmpty else { return (result, [CheckedContinuation<Void, any Error>]()) }
            defer { state.waiters = [:] }
            return (result, Array(state.waiters.values))
        }
        for waiter in waiters { waiter.resume() }
        return result
    }

    /// Adds a request whose head has come; returns its place, or `nil` when it is not kept.
    func begin(_ request: LoopbackRequest) -> Int? {
        change { record in
            record.requestCount += 1
            guard record.requests.count < limit else { return nil }
            record.requests.append(request)
            return record.requests.count - 1
        }
    }

    /// Notes how a request ended.
    func finish(_ request: LoopbackRequest, at place: Int?) {
        change { record in
            record.finishedRequestCount += 1
            if let place { record.requests[place] = request }
        }
    }

    /// Waits until the record satisfies a condition, which is asked after every change.
    func wait<Value>(for condition: (LoopbackRecord) -> Value?) async throws -> Value {
        while true {
            let (record, version) = state.withLock { ($0.record, $0.version) }
            if let value = condition(record) { return value }
            guard !record.isStopped else { throw CancellationError() }
            try await waitForChange(after: version)
        }
    }

    private func waitForChange(after version: Int) async throws {
        let number = state.withLock { state in
            state.waiterCount += 1
            return state.waiterCount
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOver = state.withLock { state -> Result<Void, any Error>? in
                    if state.cancelled.remove(number) != nil { return .failure(CancellationError()) }
                    if state.version != version { return .success(()) }
                    state.waiters[number] = continuation
                    return nil
                }
                if let isOver { continuation.resume(with: isOver) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                let waiter = state.waiters.removeValue(forKey: number)
                if waiter == nil { state.cancelled.insert(number) }
                return waiter
            }
            waiter?.resume(throwing: CancellationError())
        }
    }
}
