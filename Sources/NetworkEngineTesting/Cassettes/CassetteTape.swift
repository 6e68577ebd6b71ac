import NetworkEngine

/// The exchanges of a cassette and which of them were used: pure, with no effect but on itself.
struct CassetteTape {
    private struct Exchange {
        /// As it was recorded, without secrets.
        let request: HTTPRequest
        /// `nil` while it is still under way.
        var entry: HAREntry?
        var uses = 0
        let isNew: Bool
    }

    private var exchanges: [Exchange] = []
    /// Counts what was recorded, so that an older state is not written over a newer one.
    private(set) var version = 0

    /// - Parameter redact: removes secrets, as from the requests that are compared with these.
    init(_ entries: [HAREntry], redact: (HTTPRequest) -> HTTPRequest) {
        exchanges = entries.compactMap { entry in
            entry.request.request.map { Exchange(request: redact($0), entry: entry, isNew: false) }
        }
    }

    /// What is to be written.
    var entries: [HAREntry] { exchanges.compactMap(\.entry) }

    /// The first recorded exchange that answers a request and was not used before.
    mutating func take(
        for request: HTTPRequest,
        matching: CassetteMatching,
        allowsRepeats: Bool
    ) -> HAREntry? {
        let matches = exchanges.indices.filter { index in
            !exchanges[index].isNew && matching.differences(of: request, from: exchanges[index].request).isEmpty
        }
        let fresh = matches.first { exchanges[$0].uses == 0 }
        guard let index = fresh ?? (allowsRepeats ? matches.last : nil) else { return nil }
        exchanges[index].uses += 1
        return exchanges[index].entry
    }

    /// Keeps a place for an exchange that is under way, so that recordings are in the order in which requests came.
    mutating func reserve(_ request: HTTPRequest) -> Int {
        exchanges.append(Exchange(request: request, isNew: true))
        return exchanges.count - 1
    }

    mutating func record(_ entry: HAREntry, at place: Int) {
        exchanges[place].entry = entry
        version += 1
    }

    /// A line for each recorded exchange that nobody asked for.
    var unused: [String] {
        exchanges.indices.compactMap { index in
            let exchange = exchanges[index]
            return exchange.isNew || exchange.uses > 0 ? nil : "\(index + 1). \(exchange.request)"
        }
    }

    /// Why nothing answers a request: the exchange that comes closest, and what differs.
    func explanation(for request: HTTPRequest, matching: CassetteMatching) -> String {
        let lead = "the cassette has no exchange for this request"
        let old = exchanges.filter { !$0.isNew }
        let found = old.map { matching.differences(of: request, from: $0.request) }
        let weights = found.map { $0.reduce(0) { $0 + $1.weight } }
        guard let closest = weights.indices.min(by: { weights[$0] < weights[$1] }) else {
            return "\(lead): it is empty"
        }
        let name = "number \(closest + 1) (\(old[closest].request))"
        guard weights[closest] > 0 else { return "\(lead) left: \(name) was used already" }
        return "\(lead); closest is \(name): \(found[closest].map(\.words).joined(separator: "; "))"
    }
}
