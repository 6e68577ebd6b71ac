/// Where a call's time went until its deadline passed. The parts add up to that time.
///
/// ```swift
/// catch where error.transportFailure == .timeout(.deadline) {
///     queueTimes.record(error.figures.timeSpent?.queue ?? .zero)
/// }
/// ```
/// If several exchanges of a call run at the same time, such as with `Hedging`, the most advanced one counts.
public struct TimeSpent: Hashable, Sendable {
    /// The time in the queues of interceptors that limit requests, such as a `ConcurrencyLimit` or a `RateLimit`.
    public var queue: Duration
    /// The time in the transport's queue, which limits connections.
    public var permit: Duration
    /// The time for name lookup, connecting and the TLS handshake. It is part of `server` if the transport, such as
    /// `URLSession`, does not report when it has a connection.
    public var connect: Duration
    /// The time from when the first byte could be sent to the end of the exchange.
    public var server: Duration
    /// All other time: other interceptors, credentials, delays between attempts, decoding.
    public var other: Duration

    /// Creates a value, for example for a mock.
    public init(
        queue: Duration = .zero,
        permit: Duration = .zero,
        connect: Duration = .zero,
        server: Duration = .zero,
        other: Duration = .zero
    ) {
        (self.queue, self.permit, self.connect) = (queue, permit, connect)
        (self.server, self.other) = (server, other)
    }

    /// Whether more time was spent in this process's queues than on the network and the server.
    package var isMostlyQueued: Bool { queue + permit > connect + server }

    /// The parts of this time that came after an earlier one.
    package func since(_ earlier: TimeSpent) -> TimeSpent {
        TimeSpent(
            queue: queue - earlier.queue, permit: permit - earlier.permit, connect: connect - earlier.connect,
            server: server - earlier.server, other: other - earlier.other)
    }
}

extension TimeSpent: CustomStringConvertible {
    public var description: String {
        let parts = [
            ("queue", queue), ("permit", permit), ("connect", connect), ("server", server), ("other", other),
        ]
        return parts.filter { $0.1 > .zero }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }
}

/// Measures where a call's time goes. Only calls with a deadline have one.
package struct TimeLedger: Sendable {
    /// The measured parts, in the order of an exchange. All other time is `other`.
    package enum Part: Int, Sendable, CaseIterable { case queue, permit, connect, server }

    private struct State {
        /// The number of exchanges in each part.
        var counts = SIMD4<Int>()
        var latest: Duration
        var spent = TimeSpent()

        var current: Part? { Part.allCases.last { counts[$0.rawValue] > 0 } }

        mutating func advance(to now: Duration) {
            guard now > latest else { return }
            switch current {
            case .queue: spent.queue += now - latest
            case .permit: spent.permit += now - latest
            case .connect: spent.connect += now - latest
            case .server: spent.server += now - latest
            case nil: spent.other += now - latest
            }
            latest = now
        }
    }

    private let state: Locked<State>

    init(from start: Duration) { state = Locked(State(latest: start)) }

    func move(from old: Part?, to new: Part?, at now: Duration) {
        state.withLock { state in
            state.advance(to: now)
            if let old { state.counts[old.rawValue] -= 1 }
            if let new { state.counts[new.rawValue] += 1 }
        }
    }

    func spent(at now: Duration) -> (TimeSpent, current: Part?) {
        state.withLock { state in
            state.advance(to: now)
            return (state.spent, state.current)
        }
    }
}
