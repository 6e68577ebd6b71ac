/// Whether there is a network, now and from now on.
///
/// ```swift
/// if Reachability.system.current == .offline { show("You are offline.") }
/// for await status in Reachability.system { print(status) }        // the current one, then each change
/// ```
/// A hint, for users and for the moment at which to try again: a network that is there may lead nowhere, and one that
/// seems gone may still carry a request. A status that does not last is not reported. Copies share one source, which is
/// listened to from the first use on.
public struct Reachability: AsyncSequence, Sendable {
    public typealias Element = ReachabilityStatus

    /// The network of this device: `NWPathMonitor` where there is one, rtnetlink on Linux.
    public static let system = Reachability(SystemReachability())

    private struct State {
        var debouncer: Debouncer<ReachabilityStatus>?
        /// Told that there is something to look at.
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        var count = 0
    }

    private let source: any ReachabilitySource
    private let debounce: Duration
    private let timebase: Timebase
    private let state = Locked(State())

    /// - Parameter debounce: how long a change must last before anybody hears of it.
    public init(
        _ source: some ReachabilitySource,
        debounce: Duration = .milliseconds(300),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.source = source
        self.debounce = debounce
        timebase = .reading(clock)
    }

    /// How it is now.
    public var current: ReachabilityStatus {
        start()
        return state.withLock { $0.debouncer?.settled } ?? .online
    }

    /// The current status, then each change; a slow listener misses what came in between.
    public func makeAsyncIterator() -> Iterator {
        let signals = AsyncStream<Void>(bufferingPolicy: .bufferingNewest(1)) { listener in
            let number = state.withLock { state in
                state.count += 1
                state.listeners[state.count] = listener
                return state.count
            }
            listener.onTermination = { [state] _ in
                _ = state.withLock { $0.listeners.removeValue(forKey: number) }
            }
            listener.yield()
        }
        return Iterator(reachability: self, signals: signals)
    }

    /// Looks at the status whenever there is a reason to, so that what it says last is true, whoever told it first.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        fileprivate let reachability: Reachability
        fileprivate let signals: AsyncStream<Void>
        fileprivate var last: ReachabilityStatus?

        public mutating func next() async -> ReachabilityStatus? {
            while await isSignalled() {
                let current = reachability.current
                if current == last { continue }
                last = current
                return current
            }
            return nil
        }

        /// Iterators of a stream have nothing of their own, and a stored one could not be used from an actor.
        private func isSignalled() async -> Bool {
            var iterator = signals.makeAsyncIterator()
            return await iterator.next() != nil
        }
    }

    /// Returns when there is a network; throws when cancelled.
    public func untilOnline() async throws(CancellationError) {
        for await status in self where status == .online { return }
        throw CancellationError()
    }

    /// Begins to listen, once.
    private func start() {
        if state.withLock({ $0.debouncer != nil }) { return }
        let first = source.current()
        let isFirst = state.withLock { state in
            guard state.debouncer == nil else { return false }
            state.debouncer = Debouncer(first)
            return true
        }
        guard isFirst else { return }
        Task.detached { [self] in
            for await status in source.changes() { saw(status) }
        }
    }

    private func saw(_ status: ReachabilityStatus) {
        guard let number = state.withLock({ $0.debouncer?.saw(status) }) else { return }
        Task.detached { [self] in
            guard (try? await timebase.sleep(for: debounce)) != nil else { return }
            let (settled, listeners) = state.withLock { state in
                (state.debouncer?.lasted(number), Array(state.listeners.values))
            }
            guard settled != nil else { return }
            for listener in listeners { listener.yield() }
        }
    }
}
