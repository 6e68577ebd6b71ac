/// The most recent calls of a recording, within a memory limit.
///
/// When the limit is reached, the oldest calls lose their bodies first. Once no call has bodies, the oldest calls are
/// removed.
struct CallRing: Sendable {
    enum Unit: Sendable { case calls, exchanges }

    private let limit: Int
    private let unit: Unit
    private let memoryLimit: Int
    /// `nil` for a removed call.
    private var storage: [RecordedCall?] = []
    /// The index of the oldest call.
    private var head = 0
    /// The index of the first call with bodies.
    private var firstWithBodies = 0
    private var count = 0
    /// The approximate memory size of the calls in bytes.
    private(set) var cost = 0
    /// The number of removed calls.
    private(set) var removed = 0
    /// The number of remaining calls without their bodies.
    var withoutBodies: Int { firstWithBodies - head }

    init(limit: Int, of unit: Unit, memoryLimit: Int) {
        (self.limit, self.unit, self.memoryLimit) = (max(limit, 0), unit, max(memoryLimit, 0))
    }

    var calls: [RecordedCall] { storage[head...].compactMap(\.self) }

    mutating func append(_ call: RecordedCall) {
        storage.append(call)
        cost += call.cost
        count += weight(of: call)
        while count > limit, head < storage.count - 1 { removeFirst() }
        while cost > memoryLimit, head < storage.count {
            if firstWithBodies < storage.count { removeBodies() } else { removeFirst() }
        }
        compact()
    }

    private func weight(of call: RecordedCall) -> Int {
        switch unit {
        case .calls: 1
        case .exchanges: call.exchanges.count
        }
    }

    private mutating func removeBodies() {
        cost -= storage[firstWithBodies]?.cost ?? 0
        storage[firstWithBodies]?.removeBodies()
        cost += storage[firstWithBodies]?.cost ?? 0
        firstWithBodies += 1
    }

    private mutating func removeFirst() {
        if let call = storage[head] {
            cost -= call.cost
            count -= weight(of: call)
        }
        storage[head] = nil
        removed += 1
        head += 1
        firstWithBodies = max(firstWithBodies, head)
    }

    private mutating func compact() {
        guard head > 64, head * 2 > storage.count else { return }
        storage.removeFirst(head)
        firstWithBodies -= head
        head = 0
    }
}
