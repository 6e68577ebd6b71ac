/// Who may go on the wire and who has to wait: so many per host, so many in all, in order of rank and arrival.
///
/// Pure. A refresh goes before everybody and has one place of its own beyond both limits, for all others may be waiting
/// for it while they hold the rest. A higher rank goes before a lower one, but not for ever: when whoever waits longest has
/// been passed over so many times, it is their turn.
package struct AdmissionQueue: Sendable {
    package typealias Rank = AdmissionTicket.Rank
    package typealias Ticket = AdmissionTicket

    fileprivate struct Lane {
        var running = 0
        /// A line for each rank; none at all before somebody has to wait, as most never have to.
        private var waiting: [AdmissionLine] = []
        /// How many have gone before somebody who waited longer.
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

    /// How many may go before somebody of a lower rank who has waited longer.
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

    /// A limit that can be counted up to and beyond.
    private static func usable(_ limit: Int) -> Int { min(max(1, limit), 1 << 40) }

    /// How many wait.
    package var waitingCount: Int { lanes.values.reduce(0) { $0 + $1.waitingCount } }
    /// How many have a place.
    package var runningCount: Int { running }

    /// Asks for a place.
    package mutating func enter(host: String, rank: Rank) -> (ticket: Ticket, isAdmitted: Bool) {
        nextNumber += 1
        let ticket = Ticket(number: nextNumber, host: host, rank: rank)
        let isAdmitted = hasRoom(for: rank, in: lanes[host])
        if isAdmitted {
            admit(ticket)
        } else {
            lanes[host, default: Lane()][rank].append(ticket)
        }
        return (ticket, isAdmitted)
    }

    /// Takes a claim back while it waits.
    ///
    /// - Returns: whether it waited.
    package mutating func withdraw(_ ticket: Ticket) -> Bool {
        guard lanes[ticket.host]?[ticket.rank].remove(ticket) == true else { return false }
        removeIfIdle(ticket.host)
        return true
    }

    /// Gives a place back.
    ///
    /// - Returns: who has one now.
    package mutating func leave(_ ticket: Ticket) -> Ticket? {
        let wasFull = running >= total
        running -= 1
        lanes[ticket.host]?.running -= 1
        defer { removeIfIdle(ticket.host) }
        // Only when the total was reached can another host's request have waited for this place.
        return wasFull ? admitAnybody() : admissible(in: lanes[ticket.host]).map { take($0) }
    }

    /// Changes the limits. Who runs goes on; nobody else is let in until there are fewer of them than the new limits allow.
    ///
    /// - Returns: who has a place now.
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

    /// Gives the first of a line its place.
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

    /// Whose turn it is: the highest rank's, unless whoever waits longest has been passed over too often.
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
