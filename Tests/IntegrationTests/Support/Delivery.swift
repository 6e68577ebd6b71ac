import NetworkEngine

/// What was called back with, for a test that waits for it.
///
/// Not a stream: ThreadSanitizer does not see that what a stream carries is there before its reader.
final class Delivery<Value: Sendable>: Sendable {
    private let received = Locked([Value]())
    private let count = Tally()

    /// Everything so far.
    var all: [Value] { received.withLock { $0 } }

    func add(_ value: Value) {
        received.withLock { $0.append(value) }
        count.add()
    }

    /// The first, as soon as it is there; `nil` only when the waiting task is cancelled.
    func first() async -> Value? {
        await count.wait { $0 > 0 }
        return all.first
    }
}
