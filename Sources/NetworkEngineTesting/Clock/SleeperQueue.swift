/// The sleepers of a test clock and the tasks that wait for sleepers, as a pure value.
struct SleeperQueue<Sleeper, Waiter> {
    /// The order of sleepers: by deadline, then by arrival.
    struct Ticket: Comparable, Sendable {
        fileprivate let deadline: Duration
        fileprivate let number: Int

        static func < (left: Self, right: Self) -> Bool {
            (left.deadline, left.number) < (right.deadline, right.number)
        }
    }

    private struct Wait {
        let number: Int
        let count: Int
        let limit: Duration?
        let waiter: Waiter
    }

    private(set) var now: Duration = .zero
    /// The time of the clock after all pending moves.
    private var goal: Duration = .zero
    private var count = 0
    /// Sorted from latest to earliest, so that the next sleeper to wake is the last.
    private var sleepers: [(ticket: Ticket, sleeper: Sleeper)] = []
    private var waits: [Wait] = []

    init() {}

    /// The sleepers' deadlines, earliest first.
    var deadlines: [Duration] { sleepers.reversed().map(\.ticket.deadline) }

    mutating func nextNumber() -> Int {
        count += 1
        return count
    }

    mutating func ticket(until deadline: Duration) -> Ticket {
        Ticket(deadline: deadline, number: nextNumber())
    }

    /// Adds a sleeper unless it is due, and returns the waiters that this satisfies.
    mutating func add(_ ticket: Ticket, _ sleeper: Sleeper) -> (isDue: Bool, satisfied: [Waiter]) {
        guard ticket.deadline > now else { return (true, []) }
        sleepers.insert((ticket, sleeper), at: index(of: ticket))
        let satisfied = waits.filter { isSatisfied(count: $0.count, limit: $0.limit) }
        guard !satisfied.isEmpty else { return (false, []) }
        let numbers = Set(satisfied.map(\.number))
        waits.removeAll { numbers.contains($0.number) }
        return (false, satisfied.map(\.waiter))
    }

    mutating func remove(_ ticket: Ticket) -> Sleeper? {
        let index = index(of: ticket)
        guard index < sleepers.count, sleepers[index].ticket == ticket else { return nil }
        return sleepers.remove(at: index).sleeper
    }

    mutating func goal(after duration: Duration) -> Duration {
        goal += max(.zero, duration)
        return goal
    }

    mutating func goal(at time: Duration) -> Duration {
        goal = max(goal, time)
        return goal
    }

    /// Moves the goal to the earliest deadline and returns it; `nil` without a sleeper due within the window.
    mutating func goalAtNext(within window: Duration? = nil) -> Duration? {
        guard let deadline = sleepers.last?.ticket.deadline else { return nil }
        if let window, deadline > now + window { return nil }
        return goal(at: deadline)
    }

    /// Removes the next sleeper due by the goal and moves to its deadline. Without one, moves to the goal.
    mutating func next(until goal: Duration) -> Sleeper? {
        guard let next = sleepers.last, next.ticket.deadline <= goal else {
            now = max(now, goal)
            return nil
        }
        now = max(now, next.ticket.deadline)
        return sleepers.removeLast().sleeper
    }

    /// Adds a waiter for sleepers, unless enough sleep already; returns whether enough sleep.
    mutating func wait(_ number: Int, for count: Int, dueBy limit: Duration?, _ waiter: Waiter) -> Bool {
        if isSatisfied(count: count, limit: limit) { return true }
        waits.append(Wait(number: number, count: count, limit: limit, waiter: waiter))
        return false
    }

    mutating func removeWaiter(_ number: Int) -> Waiter? {
        guard let index = waits.firstIndex(where: { $0.number == number }) else { return nil }
        return waits.remove(at: index).waiter
    }

    private func isSatisfied(count: Int, limit: Duration?) -> Bool {
        guard let limit else { return sleepers.count >= count }
        return sleepers.lazy.filter { $0.ticket.deadline <= limit }.count >= count
    }

    /// The index of a ticket, or the index to insert it at.
    private func index(of ticket: Ticket) -> Int {
        var low = 0
        var high = sleepers.count
        while low < high {
            let middle = (low + high) / 2
            if ticket < sleepers[middle].ticket { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
