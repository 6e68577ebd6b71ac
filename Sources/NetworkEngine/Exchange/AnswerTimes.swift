/// The recent answer times of a host, overall and for each kind of request; a pure value.
struct AnswerTimes: Sendable {
    /// The times for one kind.
    private struct Record {
        /// The shortest time known. It grows slowly, for a host that has become slower.
        var best: Duration
        /// The shortest times in this round and in the one before.
        var current: Duration?
        var previous: Duration?

        var shortest: Duration? {
            guard let current, let previous else { return current ?? previous }
            return min(current, previous)
        }

        /// - Returns: whether the time is about as short as the shortest.
        mutating func add(_ time: Duration) -> Bool {
            current = min(current ?? time, time)
            defer { best = min(best, time) }
            return time < best * 3 / 2
        }

        mutating func beginRound() {
            // Without answers it is not known whether the host has become slower.
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

    /// - Returns: whether the host was about as fast as it ever was, for this kind if it is known.
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

/// The rate at which a host answers when it has as many requests as it can take; a pure value.
///
/// An exchange that begins as the tenth and is answered in two seconds shows a rate of five a second, or more if the
/// host could have answered more of them at a time. So the highest of the latest counts.
struct AnswerRate: Sendable {
    /// The number of answers in a window. The highest rate of the current and the previous window counts.
    private static let window = 8

    private var current = 0.0
    private var previous = 0.0
    private var answersLeft = Self.window

    /// `nil` if it is not known.
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
