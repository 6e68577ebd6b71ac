/// What recent exchanges with a host have shown: how fast it answers, and how many requests it answers at a time.
///
/// A pure value. The limit falls in two cases, and only if the host is slower than it can be: it gets more requests
/// than it answers, and answers fewer of them at a time earlier.
/// - Requests miss their deadlines.
/// - The requests that run now would miss theirs, at the rate of the latest answers, and requests of one kind show that
///   the host is slower: it has answered that kind in less time.
///
/// It rises again by about one for each round of requests, when the host is fast or no request is late. A host that
/// does not answer one kind of request, and answers the others as fast as ever, keeps its limit.
package struct HostLoad: Sendable {
    /// The end of an exchange, as far as it depends on the host.
    package enum Service: Hashable, Sendable {
        /// - Parameters:
        ///   - of: the time that the call had left when the exchange began; `nil` for a call without a deadline.
        ///   - among: the number of exchanges with the host when it began, including this one.
        case answered(in: Duration, of: Duration? = nil, among: Int = 0)
        /// The response was late, and the host had most of the time.
        case missed
        /// The response was late, and the request had spent most of the time in the queue.
        case delayed
    }

    /// The number of exchanges in a round, at least.
    private static let round = 16
    /// The number of answers in a row that are slower than they can be, before the limit falls without a miss.
    private static let evidence = 8
    /// The share of a call's remaining time that an answer may take.
    private static let share = 0.75

    /// The limit, with fractions; `nil` if there is none.
    private(set) var limit: Double?
    private var times = AnswerTimes()
    private var rate = AnswerRate()
    /// Whether the host was as fast as ever in this round, and in the one before.
    private var hasFast = false
    private var hadFast = false
    /// The number of slow answers since the last fast one.
    private var slowCount = 0
    /// The number of exchanges until the next round.
    private var exchangesLeft = Self.round
    /// Whether requests missed their deadlines in this round, and in the one before.
    private var hasMisses = false
    private var hadMisses = false
    private var hasFallen = false

    init() {}

    /// The shortest recent time of an answer to any request.
    var shortest: Duration? { times.shortest }

    /// The shortest recent time of an answer to a request of this kind.
    func shortest(of kind: String) -> Duration? { times.shortest(of: kind) }

    /// Whether the host may need more than this time for a request, with this number of running exchanges.
    func isDoubtful(in time: Duration, running: Int) -> Bool {
        if let shortest, time < shortest { return true }
        return rate.perSecond.map { time.inSeconds * Self.share * $0 < Double(running) } ?? false
    }

    /// An exchange has ended.
    ///
    /// - Parameters:
    ///   - kind: what requests have in common that need about the same time; `nil` if it is not known.
    ///   - running: the number of exchanges with the host, including this one.
    ///   - most: the highest limit.
    mutating func record(_ service: Service, of kind: String? = nil, running: Int, atMost most: Int) {
        switch service {
        case .answered(let time, let timeLeft, let count):
            let isFast = times.add(time, of: kind)
            if isFast { (hasFast, slowCount) = (true, 0) } else { slowCount = min(slowCount + 1, Self.evidence) }
            rate.add(count, in: time)
            let most = Double(most)
            var bound = most
            if !isFast, slowCount == Self.evidence, let timeLeft, let rate = rate.perSecond,
                times.knows(kind) || hasMisses || hadMisses
            {
                bound = max(1, rate * timeLeft.inSeconds * Self.share)
            }
            if bound < Double(running - 1), bound < limit ?? most { limit = bound }
            let mayRise = !isSlow || !(hasMisses || hadMisses)
            if let limit, running >= Int(limit), mayRise, bound == most || limit + 1 <= bound {
                rise(to: limit + 1 / limit, below: most)
            }
        case .missed:
            hasMisses = true
            if isSlow, !hasFallen {
                limit = max(1, min(limit ?? .infinity, Double(running)) * 0.75)
                hasFallen = true
            }
        case .delayed: return
        }
        exchangesLeft -= 1
        if exchangesLeft <= 0 { beginRound(of: running) }
    }

    private mutating func rise(to new: Double, below most: Double) { limit = new < most ? new : nil }

    private var isSlow: Bool { !times.isEmpty && !(hasFast || hadFast) }

    private mutating func beginRound(of running: Int) {
        times.beginRound()
        (hadFast, hasFast) = (hasFast, false)
        (hadMisses, hasMisses, hasFallen) = (hasMisses, false, false)
        exchangesLeft = max(Self.round, running)
    }
}
