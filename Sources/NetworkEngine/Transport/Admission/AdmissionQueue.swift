/// Who may go on the wire and who has to wait: so many per host, so many in all, in order of rank and arrival.
///
/// Pure. A refresh goes before everybody and has one place of its own beyond both limits, for all others may be waiting
/// for it while they hold the rest.
package struct AdmissionQueue: Sendable {
    package typealias Rank = AdmissionTicket.Rank
    package typealias Ticket = AdmissionTicket

    fileprivate struct Lane {
        var running = 0
        var waiting: [AdmissionLine] = Array(repeating: AdmissionLine(), count: Rank.allCases.count)

        var first: Ticket? { waiting.lazy.compactMap(\.first).first }
        var isIdle: Bool { running == 0 && waiting.allSatisfy(\.isEmpty) }
    }

    private let perHost: Int
    private let total: Int
    private var running = 0
    private var lanes: [String: Lane] = [:]
    private var nextNumber = 0

    package init(perHost: Int, total: Int) {
        self.perHost = max(1, perHost)
        self.total = max(1, total)
    }

    /// How many wait.
    package var waitingCount: Int { lanes.values.reduce(0) { $0 + $1.waiting.reduce(0) { $0 + $1.count } } }
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
            lanes[host, default: Lane()].waiting[rank.rawValue].append(ticket)
        }
        return (ticket, isAdmitted)
    }

    /// Takes a claim back while it waits.
    ///
    /// - Returns: whether it waited.
    package mutating func withdraw(_ ticket: Ticket) -> Bool {
        guard lanes[ticket.host]?.waiting[ticket.rank.rawValue].remove(ticket) == true else { return false }
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
        let next =
            wasFull
            ? lanes.values.compactMap(admissible(in:)).min(by: Self.isBefore) : admissible(in: lanes[ticket.host])
        guard let next else { return nil }
        lanes[next.host]?.waiting[next.rank.rawValue].removeFirst()
        admit(next)
        return next
    }

    /// Empties the queue.
    package mutating func removeAllWaiting() -> [Ticket] {
        let all = lanes.values.flatMap { $0.waiting.flatMap(\.tickets) }
        for host in lanes.keys {
            for rank in Rank.allCases { lanes[host]?.waiting[rank.rawValue] = AdmissionLine() }
        }
        lanes = lanes.filter { !$0.value.isIdle }
        return all
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
        guard let first = lane?.first, hasRoom(for: first.rank, in: lane) else { return nil }
        return first
    }

    private static func isBefore(_ left: Ticket, _ right: Ticket) -> Bool {
        (left.rank.rawValue, left.number) < (right.rank.rawValue, right.number)
    }
}
