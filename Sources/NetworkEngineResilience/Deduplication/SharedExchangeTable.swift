import NetworkEngine

/// The running exchanges and the calls that wait for each; a pure value.
struct SharedExchangeTable<Key: Hashable & Sendable>: Sendable {
    typealias ExchangeID = Int

    /// A call's membership in an exchange.
    struct Ticket: Sendable {
        let exchange: ExchangeID
        /// Whether the exchange starts with this call.
        let isFirst: Bool
        fileprivate let key: Key
        fileprivate let call: RequestID
    }

    private struct Entry {
        let exchange: ExchangeID
        /// The waiting calls. A call can join an exchange only once: the second request of a hedge must not wait for
        /// the first.
        var calls: Set<RequestID>
    }

    /// The running exchanges for each key; nearly always one.
    private var entries: [Key: [Entry]] = [:]
    private var count = 0

    init() {}

    var exchangeCount: Int { entries.values.reduce(0) { $0 + $1.count } }

    var waitingCount: Int { entries.values.joined().reduce(0) { $0 + $1.calls.count } }

    /// Joins an exchange that this call does not yet wait for, or starts one.
    mutating func join(_ key: Key, as call: RequestID) -> Ticket {
        if let index = entries[key]?.firstIndex(where: { !$0.calls.contains(call) }),
            let exchange = entries[key]?[index].exchange
        {
            entries[key]?[index].calls.insert(call)
            return Ticket(exchange: exchange, isFirst: false, key: key, call: call)
        }
        count += 1
        entries[key, default: []].append(Entry(exchange: count, calls: [call]))
        return Ticket(exchange: count, isFirst: true, key: key, call: call)
    }

    /// Stops waiting.
    ///
    /// - Returns: whether no other call waits for the exchange, so that it should be canceled.
    mutating func leave(_ ticket: Ticket) -> Bool {
        guard let index = index(of: ticket) else { return false }
        entries[ticket.key]?[index].calls.remove(ticket.call)
        guard entries[ticket.key]?[index].calls.isEmpty == true else { return false }
        end(ticket)
        return true
    }

    /// Removes an exchange that has ended. Later calls start another one.
    mutating func end(_ ticket: Ticket) {
        guard let index = index(of: ticket) else { return }
        entries[ticket.key]?.remove(at: index)
        if entries[ticket.key]?.isEmpty == true { entries[ticket.key] = nil }
    }

    private func index(of ticket: Ticket) -> Int? {
        entries[ticket.key]?.firstIndex { $0.exchange == ticket.exchange }
    }
}
