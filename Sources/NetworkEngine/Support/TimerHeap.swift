/// Timers ordered by time. Each can be removed by its token in logarithmic time.
struct TimerHeap {
    /// Identifies a timer that was set. Removing an expired timer does nothing.
    struct Token: Sendable {
        fileprivate let slot: Int
        fileprivate let generation: Int
    }

    /// The storage of a timer while it is set. `position` is its index in `order`.
    private struct Slot {
        var target: (any TimerTarget)?
        var time: Duration
        var generation: Int
        var position: Int
    }

    private var slots: [Slot] = []
    private var free: [Int] = []
    /// A binary heap of slot numbers.
    private var order: [Int] = []

    init() {}

    var isEmpty: Bool { order.isEmpty }
    var count: Int { order.count }
    var earliest: Duration? { order.first.map { slots[$0].time } }

    mutating func insert(at time: Duration, _ target: any TimerTarget) -> Token {
        let slot: Int
        if let reused = free.popLast() {
            slot = reused
            slots[slot].target = target
            slots[slot].time = time
        } else {
            slot = slots.count
            slots.append(Slot(target: target, time: time, generation: 0, position: 0))
        }
        slots[slot].position = order.count
        order.append(slot)
        siftUp(order.count - 1)
        return Token(slot: slot, generation: slots[slot].generation)
    }

    mutating func remove(_ token: Token) {
        guard slots[token.slot].generation == token.generation else { return }
        _ = take(slots[token.slot].position)
    }

    /// Changes a timer's time, unless it has expired or been removed.
    mutating func move(_ token: Token, to time: Duration) {
        guard slots[token.slot].generation == token.generation else { return }
        slots[token.slot].time = time
        siftDown(slots[token.slot].position)
        siftUp(slots[token.slot].position)
    }

    /// Removes and returns the timers that are due at a time, earliest first.
    mutating func removeDue(at time: Duration) -> [any TimerTarget] {
        var due: [any TimerTarget] = []
        while let earliest, earliest <= time {
            if let target = take(0) { due.append(target) }
        }
        return due
    }

    private mutating func take(_ position: Int) -> (any TimerTarget)? {
        let slot = order[position]
        let target = slots[slot].target
        slots[slot].target = nil
        slots[slot].generation += 1
        free.append(slot)
        let last = order.removeLast()
        if position < order.count {
            place(last, at: position)
            siftDown(position)
            siftUp(slots[last].position)
        }
        return target
    }

    private mutating func place(_ slot: Int, at position: Int) {
        order[position] = slot
        slots[slot].position = position
    }

    private mutating func siftUp(_ start: Int) {
        var position = start
        let slot = order[position]
        while position > 0 {
            let parent = (position - 1) / 2
            guard slots[slot].time < slots[order[parent]].time else { break }
            place(order[parent], at: position)
            position = parent
        }
        place(slot, at: position)
    }

    private mutating func siftDown(_ start: Int) {
        var position = start
        let slot = order[position]
        while true {
            var child = 2 * position + 1
            guard child < order.count else { break }
            if child + 1 < order.count, slots[order[child + 1]].time < slots[order[child]].time { child += 1 }
            guard slots[order[child]].time < slots[slot].time else { break }
            place(order[child], at: position)
            position = child
        }
        place(slot, at: position)
    }
}

/// A receiver of timer events.
protocol TimerTarget: Sendable {
    /// Called at most once for each time a timer was set, on an arbitrary thread, never under a lock.
    func timerFired()
}
