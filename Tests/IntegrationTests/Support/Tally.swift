@testable import NetworkEngine

/// A counter that a test can await.
final class Tally: Sendable {
    private typealias Watcher = (condition: @Sendable (Int) -> Bool, signal: AsyncStream<Never>.Continuation)

    private let state = Locked((count: 0, watchers: [Watcher]()))

    var count: Int { state.withLock { $0.count } }

    func add(_ difference: Int = 1) {
        let satisfied = state.withLock { state in
            state.count += difference
            let count = state.count
            defer { state.watchers.removeAll { $0.condition(count) } }
            return state.watchers.filter { $0.condition(count) }
        }
        for watcher in satisfied { watcher.signal.finish() }
    }

    /// Waits until the count satisfies a condition. Returns early only when the waiting task is canceled.
    func wait(until condition: @escaping @Sendable (Int) -> Bool) async {
        let (silence, signal) = AsyncStream<Never>.makeStream()
        let isSatisfied = state.withLock { state in
            if condition(state.count) { return true }
            state.watchers.append((condition, signal))
            return false
        }
        if isSatisfied { return }
        for await _ in silence {}
    }
}

/// A gate that holds the code under test, and reports its arrival.
struct Gate: Sendable {
    let arrivals = Tally()
    private let opening = Tally()

    /// Waits until the gate opens; throws when canceled.
    func pass() async throws {
        arrivals.add()
        await opening.wait { $0 > 0 }
        try Task.checkCancellation()
    }

    /// Waits until the gate opens, and ignores cancellation.
    func passDeaf() async {
        arrivals.add()
        await Task { await opening.wait { $0 > 0 } }.value
    }

    func reached(by count: Int = 1) async { await arrivals.wait { $0 >= count } }

    func open() { opening.add() }
}

/// The values of callbacks, which a test can await.
///
/// Not a stream: ThreadSanitizer doesn't detect that a stream orders its elements.
final class Delivery<Value: Sendable>: Sendable {
    private let received = Locked([Value]())
    private let count = Tally()

    /// All values so far.
    var all: [Value] { received.withLock { $0 } }

    func add(_ value: Value) {
        received.withLock { $0.append(value) }
        count.add()
    }

    /// Waits for the first value; `nil` only when the waiting task is canceled.
    func first() async -> Value? {
        await count.wait { $0 > 0 }
        return all.first
    }
}
