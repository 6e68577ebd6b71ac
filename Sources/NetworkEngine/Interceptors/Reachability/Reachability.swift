/// The current network status and its changes.
///
/// ```swift
/// if Reachability.system.current == .offline { show("You are offline.") }
/// for await status in Reachability.system { print(status) }        // the current status, then each change
/// ```
/// The status is a hint for user interfaces and for when to retry. A request can fail although there is a network, and
/// succeed although there seems to be none. Short changes are not reported. Copies share one source, which starts when
/// first used.
///
/// An app with its own monitor passes a closure: `Reachability { monitor.isReachable }`.
public struct Reachability: AsyncSequence, Sendable {
    /// The network of this device: `NWPathMonitor` if available, rtnetlink on Linux.
    public static let system = Reachability(SystemReachability())

    private struct State {
        var debouncer: Debouncer<ReachabilityStatus>?
        /// Whether the source has not yet reported a status.
        var isAssumed = false
        /// Notified of each change.
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        var count = 0
    }

    private let source: any ReachabilitySource
    /// How long a change must last before it is reported.
    let debounce: Duration
    private let timebase: Timebase
    private let state = Locked(State())
    /// The polling interval for a source without notifications; `nil` for a source with them.
    private let interval: Duration?

    /// - Parameter debounce: how long a change must last before it is reported.
    public init(
        _ source: some ReachabilitySource,
        debounce: Duration = .milliseconds(300),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.source = source
        self.debounce = debounce
        timebase = .reading(clock)
        interval = nil
    }

    /// Creates a reachability that calls a closure each time the status is needed.
    ///
    /// ```swift
    /// let policy = OfflinePolicy(reachability: Reachability { monitor.isReachable })
    /// ```
    /// The status is not stored. While a task iterates or waits for the network, the closure is called regularly.
    ///
    /// - Parameters:
    ///   - interval: the time between two calls of the closure while a task waits; at least one millisecond.
    ///   - isReachable: returns whether there is a network. It can be called on any thread and must return quickly.
    public init(
        checkingEvery interval: Duration = .seconds(1),
        clock: any Clock<Duration> = ContinuousClock(),
        isReachable: @escaping @Sendable () -> Bool
    ) {
        source = QuestionedSource(isReachable: isReachable)
        debounce = .zero
        timebase = .reading(clock)
        self.interval = Swift.max(interval, .milliseconds(1))
    }

    /// The current status. On Apple platforms the system's monitor reports its first status some milliseconds after the
    /// first use; until then the status is `.online`.
    public var current: ReachabilityStatus {
        if interval != nil { return source.current() }
        start()
        return state.withLock { $0.debouncer?.settled } ?? .online
    }

    /// The current status; `nil` until the source has reported one.
    private var known: ReachabilityStatus? {
        let current = current
        return state.withLock { $0.isAssumed } ? nil : current
    }

    /// The source's latest report, before debouncing.
    var latest: ReachabilityStatus {
        let current = current
        return state.withLock { $0.debouncer?.latest } ?? current
    }

    /// Waits for the source's first report, and returns the current status.
    func reported() async -> ReachabilityStatus {
        if let known { return known }
        for await status in self { return status }
        return current
    }

    /// Returns the current status as soon as the source has reported one, then each change. A slow listener misses
    /// intermediate changes.
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

    /// Reads the status after each notification, so that the last element is always the current status.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        fileprivate let reachability: Reachability
        fileprivate let signals: AsyncStream<Void>
        fileprivate var last: ReachabilityStatus?

        public mutating func next() async -> ReachabilityStatus? {
            while await isSignalled() {
                guard let current = reachability.known, current != last else { continue }
                last = current
                return current
            }
            return nil
        }

        /// A stored stream iterator could not be used from an actor. Iterators have no state, so a new one is
        /// equivalent.
        private func isSignalled() async -> Bool {
            if last != nil, let interval = reachability.interval {
                return (try? await reachability.timebase.sleep(for: interval)) != nil
            }
            var iterator = signals.makeAsyncIterator()
            return await iterator.next() != nil
        }
    }

    /// Returns as soon as there is a network; throws if the task is canceled.
    public func untilOnline() async throws(CancellationError) {
        for await status in self where status == .online { return }
        throw CancellationError()
    }

    /// Starts the source on the first call.
    private func start() {
        if state.withLock({ $0.debouncer != nil }) { return }
        let first = source.current()
        let isFirst = state.withLock { state in
            guard state.debouncer == nil else { return false }
            state.debouncer = Debouncer(first)
            state.isAssumed = source is any AssumingReachabilitySource
            return true
        }
        guard isFirst else { return }
        Task.detached { [self] in
            for await status in source.changes() where !isFirstReport(status) { saw(status) }
            // Without reports, the assumed status remains.
            _ = isFirstReport(first)
        }
    }

    /// The first report replaces an assumed status immediately.
    private func isFirstReport(_ status: ReachabilityStatus) -> Bool {
        let listeners = state.withLock { state -> [AsyncStream<Void>.Continuation]? in
            guard state.isAssumed else { return nil }
            state.isAssumed = false
            state.debouncer = Debouncer(status)
            return Array(state.listeners.values)
        }
        for listener in listeners ?? [] { listener.yield() }
        return listeners != nil
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

/// A source that polls a closure, without notifications.
private struct QuestionedSource: ReachabilitySource {
    let isReachable: @Sendable () -> Bool

    func current() -> ReachabilityStatus { isReachable() ? .online : .offline }
    func changes() -> AsyncStream<ReachabilityStatus> { AsyncStream { $0.finish() } }
}

/// Reports a change only after it has lasted for some time; a pure value.
package struct Debouncer<Value: Hashable & Sendable>: Sendable {
    private(set) var settled: Value
    private var pending: (value: Value, number: Int)?
    private var count = 0

    /// The latest observed value.
    var latest: Value { pending?.value ?? settled }

    init(_ value: Value) { settled = value }

    /// Records an observed value.
    ///
    /// - Returns: the number to pass to `lasted(_:)` after the debounce time; `nil` if there is nothing to wait for.
    mutating func saw(_ value: Value) -> Int? {
        guard value != settled else {
            pending = nil
            return nil
        }
        if pending?.value == value { return nil }
        count += 1
        pending = (value, count)
        return count
    }

    /// Called when the debounce time is over.
    ///
    /// - Returns: the new value if it has lasted.
    mutating func lasted(_ number: Int) -> Value? {
        guard let pending, pending.number == number else { return nil }
        self.pending = nil
        settled = pending.value
        return settled
    }
}

/// Reports whether there is a network, for `Reachability`.
///
/// ```swift
/// struct Always: ReachabilitySource {
///     func current() -> ReachabilityStatus { .online }
///     func changes() -> AsyncStream<ReachabilityStatus> { AsyncStream { $0.finish() } }
/// }
/// ```
public protocol ReachabilitySource: Sendable {
    /// Returns the current status.
    func current() -> ReachabilityStatus

    /// Returns all future changes. Called once; equal values in a row are allowed.
    func changes() -> AsyncStream<ReachabilityStatus>
}

/// A source that assumes a status until its first report.
protocol AssumingReachabilitySource: ReachabilitySource {}

/// Whether there is a network. This is a hint: only a request shows whether a host can be reached.
public enum ReachabilityStatus: String, Hashable, Sendable {
    /// A network is available.
    case online
    /// No network is available.
    case offline
}
