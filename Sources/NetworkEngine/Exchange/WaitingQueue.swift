/// Limits concurrent requests, per host and overall, in order of rank and arrival.
///
/// A pure value. A refresh goes first and has one extra permit beyond both limits, because all other requests may wait
/// for it while they hold the rest. A higher rank goes before a lower one. A request that was passed over too often
/// goes next, so no request waits forever.
///
/// If a request leaves a host's queue because of its deadline, the host receives more requests than it handles. Until
/// its queue is empty, the newest request of a rank goes first: the oldest would get their permits too late.
package struct WaitingQueue: Sendable {
    package typealias Rank = Permit.Rank

    fileprivate struct Lane {
        var running = 0
        /// A queue for each rank; empty until a request has to wait, which is rare.
        private var waiting: [WaitingLine] = []
        /// The number of requests that went before one that had waited longer.
        var passes = 0
        /// Whether the newest request of each rank goes first.
        var isOverloaded = false

        var firsts: some Sequence<Permit> { waiting.lazy.compactMap(\.first) }
        /// The first request of each rank.
        private var candidates: some Sequence<Permit> {
            waiting.lazy.compactMap { [isOverloaded] in isOverloaded ? $0.last : $0.first }
        }
        /// The next request.
        var next: Permit? { WaitingQueue.next(of: candidates, oldest: firsts, passes) }
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

    /// The number of requests that may go before a lower-ranked one that has waited longer.
    static let patience = 32

    private var perHost: Int
    private var total: Int
    private var running = 0
    private var passes = 0
    private var lanes: [String: Lane] = [:]
    /// What the owner has reported about exchanges with each host that has requests; empty if it reports nothing.
    private var loads: [String: HostLoad] = [:]
    private var nextNumber = 0

    package init(perHost: Int, total: Int) {
        (self.perHost, self.total) = (Self.usable(perHost), Self.usable(total))
    }

    /// A limit that can be counted up to and beyond without an overflow.
    private static func usable(_ limit: Int) -> Int { min(max(1, limit), .max / 2) }

    /// The number of waiting requests.
    var waitingCount: Int { lanes.values.reduce(0) { $0 + $1.waitingCount } }
    /// The number of requests with a permit.
    package var runningCount: Int { running }

    /// Requests a permit, without waiting.
    mutating func enterAtOnce(host: String, rank: Rank) -> Permit? {
        // One lookup of the host, because hashing it costs more than everything else here.
        let index = lanes.index(forKey: host)
        guard hasRoom(for: rank, on: host, running: index.map { lanes.values[$0].running } ?? 0) else { return nil }
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
    /// - Parameter isLate: whether its deadline has passed.
    /// - Returns: whether the request was waiting.
    package mutating func withdraw(_ permit: Permit, isLate: Bool = false) -> Bool {
        guard lanes[permit.host]?[permit.rank].remove(permit) == true else { return false }
        if isLate { lanes[permit.host]?.isOverloaded = true }
        settle(permit.host)
        return true
    }

    /// Returns a permit.
    ///
    /// - Parameters:
    ///   - service: what its exchange has shown about the host.
    ///   - kind: a key for requests that take about the same time; `nil` if unknown.
    /// - Returns: the request that receives it.
    package mutating func leave(
        _ permit: Permit, after service: HostLoad.Service? = nil, of kind: String? = nil
    ) -> Permit? {
        let wasFull = running >= total
        running -= 1
        var next: Permit?
        if let index = lanes.index(forKey: permit.host) {
            lanes.values[index].running -= 1
            if lanes.values[index].isIdle {
                lanes.remove(at: index)
                if !loads.isEmpty { loads[permit.host] = nil }
            } else {
                if let service { record(service, of: kind, in: index) }
                next = admissible(in: lanes.values[index])
            }
        }
        // Only if the overall limit is reached can a request to another host wait for this permit.
        return wasFull ? admitAnybody() : next.map { take($0) }
    }

    /// Returns the permit of a request that can no longer meet its deadline.
    ///
    /// - Returns: the request that receives it.
    package mutating func decline(_ permit: Permit) -> Permit? {
        if lanes[permit.host]?.waitingCount ?? 0 > 0 { lanes[permit.host]?.isOverloaded = true }
        return leave(permit)
    }

    /// The host's shortest recent response time for such a request; `nil` if unknown.
    package func shortestService(of host: String, for kind: String) -> Duration? { loads[host]?.shortest(of: kind) }

    /// Records that a request has its permit, and this time until its deadline. If the host may need more than this
    /// time, the newest requests go next, because they have more.
    package mutating func begin(_ permit: Permit, timeLeft: Duration) {
        guard let lane = lanes[permit.host], lane.waitingCount > 0,
            loads[permit.host]?.isDoubtful(in: timeLeft, running: lane.running) == true
        else { return }
        lanes[permit.host]?.isOverloaded = true
    }

    /// The number of exchanges with a host.
    package func runningCount(of host: String) -> Int { lanes[host]?.running ?? 0 }

    /// The number of exchanges that the host can currently have.
    package func limit(of host: String) -> Int {
        if loads.isEmpty { return perHost }
        return loads[host]?.limit.map { min(perHost, Int($0)) } ?? perHost
    }

    private mutating func record(
        _ service: HostLoad.Service, of kind: String?, in index: Dictionary<String, Lane>.Index
    ) {
        if service == .delayed, lanes.values[index].waitingCount > 0 { lanes.values[index].isOverloaded = true }
        let running = lanes.values[index].running + 1
        loads[lanes.keys[index], default: HostLoad()]
            .record(service, of: kind, running: running, atMost: perHost)
    }

    /// Changes the limits. Running requests continue. Others are admitted once fewer are running than the new limits
    /// allow.
    ///
    /// - Returns: the requests that receive a permit.
    package mutating func resize(perHost: Int, total: Int) -> [Permit] {
        (self.perHost, self.total) = (Self.usable(perHost), Self.usable(total))
        return admitAll()
    }

    /// Admits every request that there is room for, such as after a host's limit has grown.
    ///
    /// - Returns: the requests that receive a permit.
    package mutating func admitAll() -> [Permit] {
        var admitted: [Permit] = []
        while let next = admitAnybody() { admitted.append(next) }
        return admitted
    }

    /// Empties the queue.
    mutating func removeAllWaiting() -> [Permit] {
        var all: [Permit] = []
        for host in lanes.keys { all += lanes[host]?.removeAllWaiting() ?? [] }
        lanes = lanes.filter { !$0.value.isIdle }
        return all
    }

    private mutating func admitAnybody() -> Permit? {
        let candidates = lanes.values.compactMap(admissible(in:))
        guard let next = Self.next(of: candidates, oldest: candidates, passes) else { return nil }
        passes = Self.isOldest(next, of: candidates) ? 0 : passes + 1
        return take(next)
    }

    /// Gives a queue's first request its permit.
    private mutating func take(_ permit: Permit) -> Permit {
        if var lane = lanes.removeValue(forKey: permit.host) {
            lane.passes = Self.isOldest(permit, of: lane.firsts) ? 0 : lane.passes + 1
            _ = lane[permit.rank].remove(permit)
            if lane.waitingCount == 0 { lane.isOverloaded = false }
            lanes[permit.host] = lane
        }
        admit(permit)
        return permit
    }

    private mutating func admit(_ permit: Permit) {
        running += 1
        lanes[permit.host, default: Lane()].running += 1
    }

    /// Records that a request has left a host's queue.
    private mutating func settle(_ host: String) {
        guard let lane = lanes[host], lane.waitingCount == 0 else { return }
        lanes[host]?.isOverloaded = false
        guard lane.running == 0 else { return }
        lanes[host] = nil
        if !loads.isEmpty { loads[host] = nil }
    }

    private func hasRoom(for rank: Rank, on host: String, running count: Int) -> Bool {
        let reserve = rank == .refresh ? 1 : 0
        return running < total + reserve && count < limit(of: host) + reserve
    }

    private func admissible(in lane: Lane) -> Permit? {
        guard let next = lane.next, hasRoom(for: next.rank, on: next.host, running: lane.running) else { return nil }
        return next
    }

    /// The next request: the one with the highest rank, unless the oldest was passed over too often.
    private static func next(
        of permits: some Sequence<Permit>,
        oldest: some Sequence<Permit>,
        _ passes: Int
    ) -> Permit? {
        guard let best = permits.min(by: isBefore), best.rank != .refresh, passes >= patience else {
            return permits.min(by: isBefore)
        }
        return oldest.min { $0.number < $1.number }
    }

    private static func isOldest(_ permit: Permit, of others: some Sequence<Permit>) -> Bool {
        !others.contains { $0.number < permit.number }
    }

    private static func isBefore(_ left: Permit, _ right: Permit) -> Bool {
        (left.rank.rawValue, left.number) < (right.rank.rawValue, right.number)
    }
}

/// A request's permit, or its place in the queue before it has one. Later ones have greater numbers.
package struct Permit: Hashable, Sendable {
    package enum Rank: Int, Sendable, CaseIterable { case refresh, high, normal, low }

    let number: Int
    package let host: String
    let rank: Rank

    package init(number: Int, host: String, rank: Rank) {
        self.number = number
        self.host = host
        self.rank = rank
    }
}

/// The waiting requests of one rank to one host, in the order of their numbers.
///
/// Removing the first one does not move the others, so the cost per request does not depend on the queue's length.
package struct WaitingLine: Sendable {
    private var all: [Permit] = []
    /// The number of removed permits at the start of `all`.
    private var removedCount = 0

    package init() {}

    package var isEmpty: Bool { removedCount == all.count }
    package var count: Int { all.count - removedCount }
    package var first: Permit? { isEmpty ? nil : all[removedCount] }
    var last: Permit? { isEmpty ? nil : all.last }
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
        if permit == first {
            removeFirst()
            return true
        }
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
