/// Lets a change through when it has lasted; pure.
package struct Debouncer<Value: Hashable & Sendable>: Sendable {
    package private(set) var settled: Value
    private var pending: (value: Value, number: Int)?
    private var count = 0

    package init(_ value: Value) { settled = value }

    /// Something was seen.
    ///
    /// - Returns: what to call `lasted(_:)` with after a while; `nil` when there is nothing to wait for.
    package mutating func saw(_ value: Value) -> Int? {
        guard value != settled else {
            pending = nil
            return nil
        }
        if pending?.value == value { return nil }
        count += 1
        pending = (value, count)
        return count
    }

    /// The while is over.
    ///
    /// - Returns: the new value, when it has lasted.
    package mutating func lasted(_ number: Int) -> Value? {
        guard let pending, pending.number == number else { return nil }
        self.pending = nil
        settled = pending.value
        return settled
    }
}
