/// Limits concurrent requests, per host and overall, in order of rank and arrival.
///
/// A pure value. A refresh goes first and has one extra permit beyond both limits, because all other requests may wait
/// for it while they hold the rest. A higher rank goes before a lower one. A request that was passed over too often
/// goes next, so no request waits forever.
package struct WaitingQueue: Sendable {
    package typealias Rank = Permit.Rank

    fileprivate struct Lane {
        var running = 0
        /// A queue for each rank; empty until a request has to wait, which is rare.
        private var waiting: [WaitingLine] = []
        /// The number of requests that went before one that had waited longer.
        var passes = 0

        var firsts: some Sequence<Permit> { waiting.lazy.compactMap(\.first) }
        var waitingCount: Int { waiting.reduce(0) { $0 + $1.count } }
        static var ofOne: Lane {
            var lane = Lane()
            lane.running = 1
            return lane
        }

        var isIdle: Bool { running == 0 && waiting.allSatisfy(\.isEmpty) }

        subscript(rank: Rank) -> WaitingLine {
            get { waiting.isEmpty ? WaitingLine() : waiting[rank.rawValue] }
            _modify {
                if waiting.isEmpty { waiting = Array(repeating: WaitingLine(), count: Rank.allCases.count) }
                yield &waiting[rank.rawValue]
            }
        }

        mutating func removeAllWaiting() -> [Permit] {
            defer { waiting = [] }
            return waiting.flatMap(\.permits)
        }
    }

    /// The number of requests that may go before one of a lower rank that has waited longer.
    package static let patience = 32

    private var perHost: Int
    private var total: Int
    private var running = 0
    private var passes = 0
    private var lanes: [String: Lane] = [:]
    private var nextNumber = 0

    package init(perHost: Int, total: Int) {
        (self.perHost, self.total) = (Self.usable(perHost), Self.usable(total))
    }

    /// A limit that can be counted to and beyond without an overflow.
    private static func usable(_ limit: Int) -> Int { min(max(1, limit), 1 << 40) }

    /// The number of requests that wait.
    package var waitingCount: Int { lanes.values.reduce(0) { $0 + $1.waitingCount } }
    /// The number of requests that have a permit.
    package var runningCount: Int { running }

    /// Requests a permit that waits for nothing.
    package mutating func enterAtOnce(host: String, rank: Rank) -> Permit? {
        // One search for the host: to hash it costs more than all else here.
        let index = lanes.index(forKey: host)
        guard hasRoom(for: rank, in: index.map { lanes.values[$0] }) else { return nil }
        nextNumber += 1
        running += 1
        if let index { lanes.values[index].running += 1 } else { lanes[host] = .ofOne }
        return Permit(number: nextNumber, host: host, rank: rank)
    }

    /// Requests a permit.
    package mutating func enter(host: String, rank: Rank) -> (permit: Permit, isAdmitted: Bool) {
        if let permit = enterAtOnce(host: host, rank: rank) { return (permit, true) }
        nextNumber += 1
        let permit = Permit(number: nextNumber, host: host, rank: rank)
        lanes[host, default: Lane()][rank].append(permit)
        return (permit, false)
    }

    /// Withdraws a waiting request.
    ///
    /// - Returns: whether the request waited.
    package mutating func withdraw(_ permit: Permit) -> Bool {
        guard lanes[permit.host]?[permit.rank].remove(permit) == true else { return false }
        removeIfIdle(permit.host)
        return true
    }

    /// Returns a permit.
    ///
    /// - Returns: the request that receives it.
    package mutating func leave(_ permit: Permit) -> Permit? {
        let wasFull = running >= total
        running -= 1
        var next: Permit?
        if let index = lanes.index(forKey: permit.host) {
            lanes.values[index].running -= 1
            next = admissible(in: lanes.values[index])
            if lanes.values[index].isIdle { lanes.remove(at: index) }
        }
        // Only a reached overall limit can make a request to another host wait for this permit.
        return wasFull ? admitAnybody() : next.map { take($0) }
    }

    /// Changes the limits. Running requests continue. Others are admitted when fewer run than the new limits allow.
    ///
    /// - Returns: the requests that receive a permit.
    package mutating func resize(perHost: Int, total: Int) -> [Permit] {
        (self.perHost, self.total) = (Self.usable(perHost), Self.usable(total))
        var admitted: [Permit] = []
        while let next = admitAnybody() { admitted.append(next) }
        return admitted
    }

    /// Empties the queue.
    package mutating func removeAllWaiting() -> [Permit] {
        var all: [Permit] = []
        for host in lanes.keys { all += lanes[host]?.removeAllWaiting() ?? [] }
        lanes = lanes.filter { !$0.value.isIdle }
        return all
    }

    private mutating func admitAnybody() -> Permit? {
        let candidates = lanes.values.compactMap(admissible(in:))
        guard let next = Self.next(of: candidates, passes) else { return nil }
        passes = Self.isOldest(next, of: candidates) ? 0 : passes + 1
        return take(next)
    }

    /// Gives the first request of a queue its permit.
    private mutating func take(_ permit: Permit) -> Permit {
        if var lane = lanes.removeValue(forKey: permit.host) {
            lane.passes = Self.isOldest(permit, of: lane.firsts) ? 0 : lane.passes + 1
            lane[permit.rank].removeFirst()
            lanes[permit.host] = lane
        }
        admit(permit)
        return permit
    }

    private mutating func admit(_ permit: Permit) {
        running += 1
        lanes[permit.host, default: Lane()].running += 1
    }

    private mutating func removeIfIdle(_ host: String) {
        if lanes[host]?.isIdle == true { lanes[host] = nil }
    }

    private func hasRoom(for rank: Rank, in lane: Lane?) -> Bool {
        let reserve = rank == .refresh ? 1 : 0
        return running < total + reserve && (lane?.running ?? 0) < perHost + reserve
    }

    private func admissible(in lane: Lane?) -> Permit? {
        guard let lane, let next = Self.next(of: lane.firsts, lane.passes), hasRoom(for: next.rank, in: lane) else {
            return nil
        }
        return next
    }

    /// The next request: the one with the highest rank, unless the oldest was passed over too often.
    private static func next(of permits: some Sequence<Permit>, _ passes: Int) -> Permit? {
        guard let best = permits.min(by: isBefore), best.rank != .refresh, passes >= patience else {
            return permits.min(by: isBefore)
        }
        return permits.min { $0.number < $1.number }
    }

    private static func isOldest(_ permit: Permit, of others: some Sequence<Permit>) -> Bool {
        !others.contains { $0.number < permit.number }
    }

    private static func isBefore(_ left: Permit, _ right: Permit) -> Bool {
        (left.rank.rawValue, left.number) < (right.rank.rawValue, right.number)
    }
}

/// The permit of a request, or its place in the queue before it has one. Later ones have greater numbers.
package struct Permit: Hashable, Sendable {
    package enum Rank: Int, Sendable, CaseIterable { case refresh, high, normal, low }

    package let number: Int
    package let host: String
    package let rank: Rank

    package init(number: Int, host: String, rank: Rank) {
        self.number = number
        self.host = host
        self.rank = rank
    }
}

/// The waiting requests of one rank to one host, in the order of their numbers.
///
/// Removing the first one does not move the others, so the cost of each does not grow with the length of the queue.
package struct WaitingLine: Sendable {
    private var all: [Permit] = []
    /// The number of removed permits at the start of `all`.
    private var removedCount = 0

    package init() {}

    package var isEmpty: Bool { removedCount == all.count }
    package var count: Int { all.count - removedCount }
    package var first: Permit? { isEmpty ? nil : all[removedCount] }
    package var permits: ArraySlice<Permit> { all[removedCount...] }

    package mutating func append(_ permit: Permit) { all.append(permit) }

    package mutating func removeFirst() {
        removedCount += 1
        guard removedCount > 64, removedCount * 2 > all.count else { return }
        all.removeFirst(removedCount)
        removedCount = 0
    }

    /// Removes a permit from any position.
    ///
    /// - Returns: whether it was in the queue.
    package mutating func remove(_ permit: Permit) -> Bool {
        var low = removedCount
        var high = all.count
        while low < high {
            let middle = (low + high) / 2
            if all[middle].number < permit.number { low = middle + 1 } else { high = middle }
        }
        guard low < all.count, all[low] == permit else { return false }
        all.remove(at: low)
        return true
    }
}
