/// Requests that wait for a network, in order of arrival; a pure value.
struct ReplayQueue: Sendable {
    typealias Ticket = Int

    private let limit: Int
    private var waiting: [Ticket] = []
    private var count = 0
    /// The requests that were waiting when the network returned, in order, until all of them have left.
    private var wave: [Ticket] = []

    init(limit: Int) { self.limit = max(0, limit) }

    var isEmpty: Bool { waiting.isEmpty }
    var length: Int { waiting.count }

    /// Joins the queue. Returns `nil` if the queue is full.
    ///
    /// - Parameter earlier: the ticket of a request that was in the queue before and gets its place back.
    mutating func enter(again earlier: Ticket? = nil) -> Ticket? {
        guard waiting.count < limit else { return nil }
        if earlier == nil { count += 1 }
        let ticket = earlier ?? count
        waiting.insert(ticket, at: waiting.firstIndex { $0 > ticket } ?? waiting.endIndex)
        return ticket
    }

    /// Returns the number of requests ahead of this one, after the network has returned.
    ///
    /// The first call fixes the order for all requests that are waiting at that moment.
    mutating func position(of ticket: Ticket) -> Int {
        if let index = wave.firstIndex(of: ticket) { return index }
        wave = waiting
        return wave.firstIndex(of: ticket) ?? 0
    }

    mutating func leave(_ ticket: Ticket) {
        waiting.removeAll { $0 == ticket }
        if waiting.isEmpty { wave = [] }
    }
}
