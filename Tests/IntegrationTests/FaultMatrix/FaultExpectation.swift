/// The expected observations for a case.
struct FaultExpectation: Sendable {
    /// The acceptable endings. If there are several, the rules allow any of them.
    var endings: [FaultEnding]
    /// The permitted numbers of requests that the server has seen before the following one.
    var hits = 1...1
    /// Whether the following request uses the same connection; `nil` if both are permitted.
    var reuses: Bool?
    /// Far longer than any case takes: it distinguishes a call that ends from one that hangs.
    var bound: Duration = .seconds(240)
    /// How the following request ends.
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

    /// Descriptions of the differences from the expectation.
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
    /// The observations of the error.
    var words: String
    var hits: Int
    var reuses: Bool?
    var took: Duration
    /// How the request after each case ended, to check that the case has no lasting effect.
    var after: FaultEnding
    var wordsAfter: String
}
