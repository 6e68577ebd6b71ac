/// What must be seen of a case.
struct FaultExpectation: Sendable {
    /// Each of them is as good; where there is more than one, the rules leave it open.
    var endings: [FaultEnding]
    /// How many requests the server may have seen before the one that follows.
    var hits = 1...1
    /// Whether the request that follows uses the same connection; `nil` where it may do as it likes.
    var reuses: Bool?
    /// Far more than any takes: it tells one that ends from one that does not.
    var bound: Duration = .seconds(240)
    /// How the request ends that follows.
    var after = FaultEnding.ok("after")

    init(_ endings: [FaultEnding]) { self.endings = endings }

    static func ends(_ endings: FaultEnding...) -> Self { Self(endings) }

    func hits(_ range: ClosedRange<Int>) -> Self { with { $0.hits = range } }
    func hits(_ count: Int) -> Self { hits(count...count) }
    func reuses(_ reuses: Bool) -> Self { with { $0.reuses = reuses } }
    func after(_ ending: FaultEnding) -> Self { with { $0.after = ending } }
    func within(_ bound: Duration) -> Self { with { $0.bound = bound } }

    private func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }

    /// The differences from the expectation, in words.
    func complaints(about sighting: FaultSighting) -> [String] {
        var complaints: [String] = []
        if !endings.contains(sighting.ending) {
            complaints.append("it ended with \(sighting.ending) \(sighting.words)")
        }
        if !hits.contains(sighting.hits) { complaints.append("the server saw \(sighting.hits) requests") }
        if let reuses, reuses != sighting.reuses {
            complaints.append("the connection was \(sighting.reuses == true ? "" : "not ")used again")
        }
        if sighting.took > bound { complaints.append("it took \(sighting.took)") }
        if sighting.after != after {
            complaints.append("the request that followed got \(sighting.after) \(sighting.wordsAfter)")
        }
        return complaints
    }
}

/// The observations of a case.
struct FaultSighting: Sendable {
    var ending: FaultEnding
    /// Those of the error.
    var words: String
    var hits: Int
    var reuses: Bool?
    var took: Duration
    /// How the request ended that follows each case, to see that nothing is left of it.
    var after: FaultEnding
    var wordsAfter: String
}
