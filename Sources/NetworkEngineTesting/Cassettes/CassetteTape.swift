import NetworkEngine
import NetworkEngineObservation

/// The exchanges of a cassette and which of them are used, as a pure value.
struct CassetteTape {
    private struct Exchange {
        /// The recorded request without secrets.
        let request: HTTPRequest
        /// `nil` while the exchange is in progress.
        var entry: HAREntry?
        var uses = 0
        let isNew: Bool
    }

    private var exchanges: [Exchange] = []
    /// Incremented with each recording, so that an older state never overwrites a newer one.
    private(set) var version = 0

    /// - Parameter redact: Removes secrets, as it does from the requests to compare.
    init(_ entries: [HAREntry], redact: (HTTPRequest) -> HTTPRequest) {
        exchanges = entries.compactMap { entry in
            entry.request.request.map { Exchange(request: redact($0), entry: entry, isNew: false) }
        }
    }

    var entries: [HAREntry] { exchanges.compactMap(\.entry) }

    /// Takes the first unused matching exchange among those with the fewest hidden values.
    ///
    /// A hidden value matches any, so an exchange with the value itself comes first.
    mutating func take(
        for request: HTTPRequest,
        matching: CassetteMatching,
        allowsRepeats: Bool
    ) -> HAREntry? {
        var matches: [Int: [Int]] = [:]
        for index in exchanges.indices where !exchanges[index].isNew {
            let comparison = matching.compare(request, with: exchanges[index].request)
            guard comparison.differences.isEmpty else { continue }
            matches[comparison.hiddenValues, default: []].append(index)
        }
        for (_, indices) in matches.sorted(by: { $0.key < $1.key }) {
            let fresh = indices.first { exchanges[$0].uses == 0 }
            guard let index = fresh ?? (allowsRepeats ? indices.last : nil) else { continue }
            exchanges[index].uses += 1
            return exchanges[index].entry
        }
        return nil
    }

    /// Reserves the position of an exchange in progress, so that recordings keep the order of the requests.
    mutating func reserve(_ request: HTTPRequest) -> Int {
        exchanges.append(Exchange(request: request, isNew: true))
        return exchanges.count - 1
    }

    mutating func record(_ entry: HAREntry, at index: Int) {
        exchanges[index].entry = entry
        version += 1
    }

    var unused: [String] {
        exchanges.indices.compactMap { index in
            let exchange = exchanges[index]
            return exchange.isNew || exchange.uses > 0 ? nil : "\(index + 1). \(exchange.request)"
        }
    }

    /// Explains why no exchange matches: the closest exchange and what differs.
    func explanation(for request: HTTPRequest, matching: CassetteMatching) -> String {
        let lead = "the cassette has no exchange for this request"
        let old = exchanges.filter { !$0.isNew }
        let found = old.map { matching.compare(request, with: $0.request).differences }
        let weights = found.map { $0.reduce(0) { $0 + $1.weight } }
        guard let closest = weights.indices.min(by: { weights[$0] < weights[$1] }) else {
            return "\(lead): it is empty"
        }
        let name = "number \(closest + 1) (\(old[closest].request))"
        guard weights[closest] > 0 else { return "\(lead) left: \(name) was used already" }
        return "\(lead); closest is \(name): \(found[closest].map(\.words).joined(separator: "; "))"
    }
}
