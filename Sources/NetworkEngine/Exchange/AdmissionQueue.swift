/// Limits concurrent requests, per host and overall, in order of rank and arrival.
///
/// A pure value. A refresh goes first and has one extra permit beyond both limits, because all other requests may wait
/// for it while they hold the rest. A higher rank goes before a lower one. A request that was passed over too often
/// goes next, so no request waits forever.
package struct AdmissionQueue: Sendable {
    package typealias Rank = AdmissionTicket.Rank
    package typealias Ticket = AdmissionTicket

    fileprivate struct Lane {
        var running = 0
        /// A queue for each rank; empty until a request has to wait, which is rare.
        private var waiting: [AdmissionLine] = []
        /// The number of requests that went before one that had waited longer.
        var passes = 0

        var firsts: some Sequence<Ticket> { waiting.lazy.compactMap(\.first) }
        var waitingCount: Int { waiting.reduce(0) { $0 + $1.count } }
        var isIdle: Bool { running == 0 && waiting.allSatisfy(\.isEmpty) }

        subscript(rank: Rank) -> AdmissionLine {
            get { waiting.isEmpty ? AdmissionLine() : waiting[rank.rawValue] }
            _modify {
                if waiting.isEmpty { waiting = Array(repeating: AdmissionLine(), count: Rank.allCases.count) }
                yield &waiting[rank.rawValue]
            }
        }

        mutating func removeAllWaiting() -> [Ticket] {
            defer { waiting = [] }
            return waiting.flatMap(\.tickets)
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

    /// Requests a permit.
    package mutating func enter(host: String, rank: Rank) -> (ticket: Ticket, isAdmitted: Bool) {
        nextNumber += 1
        let ticket = Ticket(number: nextNumber, host: host, rank: rank)
        // One search for the host: to hash it costs more than all else here.
        let index = lanes.index(forKey: host)
        let isAdmitted = hasRoom(for: rank, in: index.map { lanes.values[$0] })
        if isAdmitted { running += 1 }
        if let index {
            if isAdmitted { lanes.values[index].running += 1 } else { lanes.values[index][rank].append(ticket) }
        } else {
            var lane = Lane()
            if isAdmitted { lane.running += 1 } else { lane[rank].append(ticket) }
            lanes[host] = lane
        }
        return (ticket, isAdmitted)
    }

    /// Withdraws a waiting request.
    ///
    /// - Returns: whether the request waited.
    package mutating func withdraw(_ ticket: Ticket) -> Bool {
        guard lanes[ticket.host]?[ticket.rank].remove(ticket) == true else { return false }
        removeIfIdle(ticket.host)
        return true
    }

    /// Returns a permit.
    ///
    /// - Returns: the request that receives it.
    package mutating func leave(_ ticket: Ticket) -> Ticket? {
        let wasFull = running >= total
        running -= 1
        var next: Ticket?
        if let index = lanes.index(forKey: ticket.host) {
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
    package mutating func resize(perHost: Int, total: Int) -> [Ticket] {
        (self.perHost, self.total) = (Self.usable(perHost), Self.usable(total))
        var admitted: [Ticket] = []
        while let next = admitAnybody() { admitted.append(next) }
        return admitted
    }

    /// Empties the queue.
    package mutating func removeAllWaiting() -> [Ticket] {
        var all: [Ticket] = []
        for host in lanes.keys { all += lanes[host]?.removeAllWaiting() ?? [] }
        lanes = lanes.filter { !$0.value.isIdle }
        return all
    }

    private mutating func admitAnybody() -> Ticket? {
        let candidates = lanes.values.compactMap(admissible(in:))
        guard let next = Self.next(of: candidates, passes) else { return nil }
        passes = Self.isOldest(next, of: candidates) ? 0 : passes + 1
        return take(next)
    }

    /// Gives the first request of a queue its permit.
    private mutating func take(_ ticket: Ticket) -> Ticket {
        if var lane = lanes.removeValue(forKey: ticket.host) {
            lane.passes = Self.isOldest(ticket, of: lane.firsts) ? 0 : lane.passes + 1
            lane[ticket.rank].removeFirst()
            lanes[ticket.host] = lane
        }
        admit(ticket)
        return ticket
    }

    private mutating func admit(_ ticket: Ticket) {
        running += 1
        lanes[ticket.host, default: Lane()].running += 1
    }

    private mutating func removeIfIdle(_ host: String) {
        if lanes[host]?.isIdle == true { lanes[host] = nil }
    }

    private func hasRoom(for rank: Rank, in lane: Lane?) -> Bool {
        let reserve = rank == .refresh ? 1 : 0
        return running < total + reserve && (lane?.running ?? 0) < perHost + reserve
    }

    private func admissible(in lane: Lane?) -> Ticket? {
        guard let lane, let next = Self.next(of: lane.firsts, lane.passes), hasRoom(for: next.rank, in: lane) else {
            return nil
        }
        return next
    }

    /// The next request: the one with the highest rank, unless the oldest was passed over too often.
    private static func next(of tickets: some Sequence<Ticket>, _ passes: Int) -> Ticket? {
        guard let best = tickets.min(by: isBefore), best.rank != .refresh, passes >= patience else {
            return tickets.min(by: isBefore)
        }
        return tickets.min { $0.number < $1.number }
    }

    private static func isOldest(_ ticket: Ticket, of others: some Sequence<Ticket>) -> Bool {
        !others.contains { $0.number < ticket.number }
    }

    private static func isBefore(_ left: Ticket, _ right: Ticket) -> Bool {
        (left.rank.rawValue, left.number) < (right.rank.rawValue, right.number)
    }
}
