import Foundation

/// Decides what becomes of requests while there is no network.
///
/// ```swift
/// let policy = OfflinePolicy(.waitForConnection(max: .seconds(5)))
/// let provider = NetworkProvider<UserAPI>(interceptors: [policy, RetryPolicy()])
/// ```
/// A request is always sent first, and this asked when it could not leave the device: what a monitor says is a hint. Only
/// with `isGate` nothing is sent while there is no network. When waiting was in vain, the error is the original one. The
/// call's deadline ends every wait; being sent again counts as an attempt. Stands before a `RetryPolicy`, which would
/// otherwise try again before there is a network. Copies share the queue. Loopback addresses need no network.
public struct OfflinePolicy: RequestInterceptor {
    private let mode: OfflineMode
    private let isGate: Bool
    private let reachability: Reachability
    private let timebase: Timebase
    private let random: @Sendable () -> Double
    private let queue: Locked<ReplayQueue>

    public init(
        _ mode: OfflineMode = .failFast,
        reachability: Reachability = .system,
        isGate: Bool = false,
        clock: any Clock<Duration> = ContinuousClock(),
        random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.mode = mode
        self.isGate = isGate
        self.reachability = reachability
        self.random = random
        timebase = .reading(clock)
        if case .queueAndReplay(let limit, _) = mode {
            queue = Locked(ReplayQueue(limit: limit))
        } else {
            queue = Locked(ReplayQueue(limit: 0))
        }
    }

    public var mayWait: Bool { mode.longestWait != nil }

    public func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        guard isGate, !request.url.isLoopback, reachability.current == .offline else { return request }
        guard let limit = mode.longestWait, try await isOnline(within: limit) else {
            throw NetworkError.withoutNetwork(request)
        }
        return request
    }

    public func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision {
        guard isOffline(error) else { return .doNotRetry }
        guard let limit = mode.longestWait, !context.isLastAttempt else { return .fail(error) }
        if case .queueAndReplay = mode { return await turn(of: error, within: limit) }
        let isOnline = (try? await isOnline(within: limit)) ?? false
        return isOnline ? .retry : .fail(error)
    }

    /// Whether a request did not leave the device, for want of a network.
    private func isOffline(_ error: NetworkError) -> Bool {
        guard let failure = error.transportFailure, error.request?.url.isLoopback != true else { return false }
        switch failure {
        case .offline, .dns, .connect: return reachability.current == .offline
        default: return false
        }
    }

    /// Waits in the queue; those behind are sent a little later each.
    private func turn(of error: NetworkError, within limit: Duration) async -> RetryDecision {
        guard let request = error.request, request.isRepeatable, let ticket = queue.withLock({ $0.enter() }) else {
            return .fail(error)
        }
        let isOnline = (try? await isOnline(within: limit)) ?? false
        defer { queue.withLock { $0.leave(ticket) } }
        guard isOnline else { return .fail(error) }
        let position = queue.withLock { $0.turn(of: ticket) }
        let step = Duration.milliseconds(50)
        let pause = step * position + step.scaled(by: random())
        // The place is kept until then, so that who comes now stands behind.
        do {
            try await timebase.sleep(for: pause)
        } catch {
            return .doNotRetry
        }
        return .retry
    }

    private func isOnline(within limit: Duration) async throws -> Bool {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { [reachability] in
                try await reachability.untilOnline()
                return true
            }
            group.addTask { [timebase] in
                try await timebase.sleep(for: limit)
                return false
            }
            defer { group.cancelAll() }
            return try await group.next() ?? false
        }
    }
}

extension OfflineMode {
    /// `nil` when there is no waiting.
    fileprivate var longestWait: Duration? {
        switch self {
        case .failFast: nil
        case .waitForConnection(let max): max
        case .queueAndReplay(_, let expiry): expiry
        }
    }
}

extension HTTPRequest {
    /// Whether it may be sent again, whatever became of it.
    package var isRepeatable: Bool {
        body.isReplayable && mayHappenTwice
    }
}

extension URL {
    fileprivate var isLoopback: Bool {
        guard let host = host?.lowercased() else { return false }
        return host == "localhost" || host.hasPrefix("127.") || host == "::1" || host == "[::1]"
    }
}
