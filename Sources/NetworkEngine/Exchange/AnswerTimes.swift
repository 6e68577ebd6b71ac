/// A host's recent response times, overall and for each kind of request; a pure value.
struct AnswerTimes: Sendable {
    /// The times for one kind.
    private struct Record {
        /// The shortest known time. It grows slowly, in case the host has become slower.
        var best: Duration
        /// The shortest times in this round and in the one before.
        var current: Duration?
        var previous: Duration?

        var shortest: Duration? {
            guard let current, let previous else { return current ?? previous }
            return min(current, previous)
        }

        /// - Returns: whether the time is about as short as the shortest one.
        mutating func add(_ time: Duration) -> Bool {
            current = min(current ?? time, time)
            defer { best = min(best, time) }
            return time < best * 3 / 2
        }

        mutating func beginRound() {
            // Without responses, it is unknown whether the host has become slower.
            if current != nil { best += best / 256 }
            (previous, current) = (current, nil)
        }
    }

    /// The maximum number of kinds. Requests of other kinds count only for the host.
    private static let capacity = 32

    private var all: Record?
    private var kinds: [String: Record] = [:]

    var isEmpty: Bool { all == nil }

    var shortest: Duration? { all?.shortest }

    func shortest(of kind: String) -> Duration? { kinds[kind]?.shortest }

    func knows(_ kind: String?) -> Bool { kind.map { kinds[$0] != nil } ?? false }

    /// - Returns: whether the host was about as fast as ever, for this kind if it is known.
    mutating func add(_ time: Duration, of kind: String?) -> Bool {
        var record = all ?? Record(best: time)
        let isFast = record.add(time)
        all = record
        guard let kind else { return isFast }
        if let isFastForKind = kinds[kind]?.add(time) { return isFastForKind }
        if kinds.count < Self.capacity { kinds[kind] = Record(best: time, current: time) }
        return isFast
    }

    mutating func beginRound() {
        all?.beginRound()
        if kinds.count == Self.capacity { kinds = kinds.filter { $0.value.current != nil } }
        for kind in kinds.keys { kinds[kind]?.beginRound() }
    }
}

/// The rate at which a fully loaded host responds; a pure value.
///
/// An exchange that starts as the tenth concurrent one and takes two seconds shows a rate of five per second, or more
/// if the host could have handled more at a time. Therefore the highest recent rate counts.
struct AnswerRate: Sendable {
    /// The number of responses in a window. The highest rate of the current and the previous window counts.
    private static let window = 8

    private var current = 0.0
    private var previous = 0.0
    private var answersLeft = Self.window

    /// `nil` if unknown.
    var perSecond: Double? {
        let rate = max(current, previous)
        return rate > 0 ? rate : nil
    }

    mutating func add(_ count: Int, in time: Duration) {
        guard count > 0, time > .zero else { return }
        current = max(current, Double(count) / time.inSeconds)
        answersLeft -= 1
        if answersLeft == 0 { (previous, current, answersLeft) = (current, 0, Self.window) }
    }
}
