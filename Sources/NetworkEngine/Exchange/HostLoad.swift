/// What recent exchanges with a host have shown: how fast it responds, and how many requests it handles at a time.
///
/// A pure value. The limit falls in two cases, and only if the host is slower than it can be: it receives more requests
/// than it handles, and would respond sooner to fewer of them at a time.
/// - Requests miss their deadlines.
/// - At the rate of the latest responses, the running requests would miss theirs, and requests of one kind show that
///   the host is slower: it has handled that kind in less time.
///
/// The limit rises again by about one for each round of requests, if the host is fast or no request is late. A host
/// that does not respond to one kind of request, but responds to the others as fast as ever, keeps its limit.
package struct HostLoad: Sendable {
    /// The end of an exchange, to the extent that it depends on the host.
    package enum Service: Hashable, Sendable {
        /// - Parameters:
        ///   - of: the call's remaining time when the exchange started; `nil` for a call without a deadline.
        ///   - among: the number of exchanges with the host when it started, including this one.
        case answered(in: Duration, of: Duration? = nil, among: Int = 0)
        /// The response was late, and the host took most of the time.
        case missed
        /// The response was late, and the request had spent most of the time in the queue.
        case delayed
    }

    /// The minimum number of exchanges in a round.
    private static let round = 16
    /// The number of consecutive unnecessarily slow responses before the limit falls without a miss.
    private static let evidence = 8
    /// The share of a call's remaining time that a response may take.
    private static let share = 0.75

    /// The limit, including fractions; `nil` if there is none.
    private(set) var limit: Double?
    private var times = AnswerTimes()
    private var rate = AnswerRate()
    /// Whether the host was as fast as ever in this round and the previous one.
    private var hasFast = false
    private var hadFast = false
    /// The number of slow responses since the last fast one.
    private var slowCount = 0
    /// The number of exchanges until the next round.
    private var exchangesLeft = Self.round
    /// Whether requests missed their deadlines in this round and the previous one.
    private var hasMisses = false
    private var hadMisses = false
    private var hasFallen = false

    init() {}

    /// The shortest recent response time for any request.
    var shortest: Duration? { times.shortest }

    /// The shortest recent response time for a request of this kind.
    func shortest(of kind: String) -> Duration? { times.shortest(of: kind) }

    /// Whether the host may need more than this time for a request, with this number of running exchanges.
    func isDoubtful(in time: Duration, running: Int) -> Bool {
        if let shortest, time < shortest { return true }
        return rate.perSecond.map { time.inSeconds * Self.share * $0 < Double(running) } ?? false
    }

    /// Records the end of an exchange.
    ///
    /// - Parameters:
    ///   - kind: a key for requests that take about the same time; `nil` if unknown.
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
