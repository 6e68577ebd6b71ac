import NetworkEngine

/// The values of callbacks, which a test can await.
///
/// Not a stream: ThreadSanitizer does not know that a stream orders its elements.
final class Delivery<Value: Sendable>: Sendable {
    private let received = Locked([Value]())
    private let count = Tally()

    /// All values so far.
    var all: [Value] { received.withLock { $0 } }

    func add(_ value: Value) {
        received.withLock { $0.append(value) }
        count.add()
    }

    /// Waits for the first value; `nil` only when the waiting task is cancelled.
    func first() async -> Value? {
        await count.wait { $0 > 0 }
        return all.first
    }
}
