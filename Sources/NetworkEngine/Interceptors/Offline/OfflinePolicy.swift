import Foundation

/// How a request behaves if it fails without a network.
public enum OfflineMode: Hashable, Sendable {
    /// The request fails immediately.
    case failFast
    /// The request waits up to this time for the network, and is retried when the network returns.
    case waitForConnection(max: Duration)
    /// The request waits in a bounded queue, at most until `expiry`, and is retried in order.
    ///
    /// Applies to idempotent methods and to requests with an `Idempotency-Key`.
    case queueAndReplay(limit: Int, expiry: Duration)
}

/// Decides how requests behave without a network.
///
/// ```swift
/// let policy = OfflinePolicy(.waitForConnection(max: .seconds(5)))
/// let provider = NetworkProvider<UserAPI>(interceptors: [policy, RetryPolicy()])
/// ```
/// A request is always sent first, because reachability is only a hint. The policy applies if the request could not
/// leave the device: because it failed for lack of a network, or because the host could not be resolved or reached
/// while there is no network. After a failure the network monitor may lag behind, so a network that it reports is
/// trusted only after about a second.
///
/// With `isGate` nothing is sent without a network: requests wait before they are sent, by the same rules. If the
/// network does not return in time, the call fails with the original error. The call's deadline ends every wait, and a
/// retry counts as an attempt.
///
/// Place an `IdempotencyKey` before a policy that is a gate. Place the policy before a `RetryPolicy`, which would
/// otherwise retry before there is a network. Copies share the queue. Loopback addresses don't require a network.
public struct OfflinePolicy: RequestInterceptor, NonInterceptingInterceptor, ComposedInterceptor {
    private let mode: OfflineMode
    private let isGate: Bool
    private let reachability: Reachability
    /// The policy's clock; `nil` for each call's own.
    private let timebase: Timebase?
    private let random: @Sendable () -> Double
    private let queue: Locked<ReplayQueue>
    /// The number of queued requests that do not trust the monitor yet.
    private let doubts = Locked(0)

    /// Creates a policy. By default a request that fails without a network is not retried.
    ///
    /// - Parameters:
    ///   - reachability: reports whether there is a network.
    ///   - isGate: whether nothing is sent without a network. Otherwise each request is sent first.
    ///   - clock: measures the waits; by default the configuration's clock.
    ///   - random: returns a random number from 0 to 1, which spreads out retries.
    public init(
        _ mode: OfflineMode = .failFast,
        reachability: Reachability = .system,
        isGate: Bool = false,
        clock: (any Clock<Duration>)? = nil,
        random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.mode = mode
        self.isGate = isGate
        self.reachability = reachability
        self.random = random
        timebase = clock.map { .reading($0) }
        if case .queueAndReplay(let limit, _) = mode {
            queue = Locked(ReplayQueue(limit: limit))
        } else {
            queue = Locked(ReplayQueue(limit: 0))
        }
    }

    package static let compositionRules: [CompositionRule] = [.unique]

    public var mayWait: Bool { mode.longestWait != nil }

    public func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        guard isGate || hasQueue, !context.usesOnlyCache, !request.url.isLoopback else { return request }
        guard isGate, await reachability.reported() == .offline else {
            try await waitBehindQueue(request, context)
            return request
        }
        guard let limit = mode.longestWait, try await passesGate(request, context, within: limit) else {
            throw NetworkError.withoutNetwork(request)
        }
        return request
    }

    public func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision {
        guard await isOffline(error) else { return .doNotRetry }
        guard let limit = mode.longestWait, !context.isLastAttempt else { return .fail(error) }
        let isOnline: Bool?
        if case .queueAndReplay = mode {
            guard error.request?.isRepeatable == true else { return .fail(error) }
            isOnline = try? await hasTurn(context, within: limit, after: doubt)
        } else {
            isOnline = try? await self.isOnline(within: limit, after: doubt, context)
        }
        return isOnline == true ? .retry : .fail(error)
    }

    private var hasQueue: Bool { if case .queueAndReplay = mode { true } else { false } }

    /// Lets queued requests go first after the network has returned.
    private func waitBehindQueue(_ request: HTTPRequest, _ context: RequestContext) async throws {
        guard case .queueAndReplay(_, let expiry) = mode, context.attempt == 1, request.mayHappenTwice,
            !queue.withLock({ $0.isEmpty }), reachability.current != .offline
        else { return }
        // A request that does not trust the monitor yet goes first.
        _ = try await hasTurn(context, within: expiry, after: doubts.withLock { $0 } > 0 ? doubt : .zero)
    }

    /// Waits for the network before the request is sent, in the queue if the mode has one.
    private func passesGate(
        _ request: HTTPRequest,
        _ context: RequestContext,
        within limit: Duration
    ) async throws -> Bool {
        guard case .queueAndReplay = mode else { return try await isOnline(within: limit, context) }
        // The body has not been read yet, and doesn't have to be replayable.
        guard request.mayHappenTwice else { return false }
        return try await hasTurn(context, within: limit)
    }

    /// Whether a request did not leave the device for lack of a network.
    private func isOffline(_ error: NetworkError) async -> Bool {
        guard let failure = error.transportFailure, error.request?.url.isLoopback != true else { return false }
        switch failure {
        // The monitor may lag behind, or may not have reported yet.
        case .offline: return true
        case .dns, .connect:
            _ = await reachability.reported()
            // A network change that has not lasted yet counts, too.
            return reachability.current == .offline || reachability.latest == .offline
        default: return false
        }
    }

    /// How long after a failure the monitor may lag behind: it does not yet report that the network was lost.
    private var doubt: Duration {
        reachability.current == .offline ? .zero : reachability.debounce.bounded + .seconds(1)
    }

    /// Waits in the queue until the network returns. The delay grows with the position in the queue.
    ///
    /// - Returns: `false` if the queue is full, or if the network does not return in time.
    private func hasTurn(
        _ context: RequestContext,
        within limit: Duration,
        after doubt: Duration = .zero
    ) async throws -> Bool {
        let (storage, id) = (context.call.options.storage, ObjectIdentifier(OfflinePlace.self))
        let timebase = timebase(of: context)
        let earlier: OfflinePlace? = storage?.value(for: id)
        let expiry = earlier?.expiry ?? timebase.now + limit.bounded
        guard let ticket = queue.withLock({ $0.enter(again: earlier?.ticket) }) else { return false }
        storage?.set(OfflinePlace(ticket: ticket, expiry: expiry), for: id)
        // The request remains in the queue during the pause, so that later requests come after it.
        defer { queue.withLock { $0.leave(ticket) } }
        guard try await isTrustedOnline(within: max(.zero, expiry - timebase.now), after: doubt, context) else {
            return false
        }
        let position = queue.withLock { $0.position(of: ticket) }
        let step = Duration.milliseconds(50)
        let pause = step * position + step.scaled(by: random())
        try await timebase.sleep(for: max(.zero, min(pause, expiry - timebase.now)))
        return true
    }

    private func timebase(of context: RequestContext) -> Timebase {
        timebase ?? context.call.options.timers?.timebase ?? .reading(ContinuousClock())
    }

    private func isTrustedOnline(
        within limit: Duration,
        after doubt: Duration,
        _ context: RequestContext
    ) async throws -> Bool {
        if doubt > .zero { doubts.withLock { $0 += 1 } }
        defer { if doubt > .zero { doubts.withLock { $0 -= 1 } } }
        return try await isOnline(within: limit, after: doubt, context)
    }

    /// Waits for the network.
    ///
    /// - Parameter doubt: how long the monitor's status is ignored.
    private func isOnline(
        within limit: Duration,
        after doubt: Duration = .zero,
        _ context: RequestContext
    ) async throws -> Bool {
        let timebase = timebase(of: context)
        if doubt >= limit {
            try await timebase.sleep(for: limit)
            return reachability.latest == .online
        }
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { [reachability] in
                if doubt > .zero { try await timebase.sleep(for: doubt) }
                try await reachability.untilOnline()
                return true
            }
            group.addTask {
                try await timebase.sleep(for: limit)
                return false
            }
            defer { group.cancelAll() }
            return try await group.next() ?? false
        }
    }
}

/// A call's place in the queue. The call keeps it if the network is lost again.
private struct OfflinePlace: Sendable {
    let ticket: ReplayQueue.Ticket
    let expiry: Duration
}

extension OfflineMode {
    /// `nil` if the mode does not wait.
    fileprivate var longestWait: Duration? {
        switch self {
        case .failFast: nil
        case .waitForConnection(let max): max
        case .queueAndReplay(_, let expiry): expiry
        }
    }
}

extension NetworkError {
    /// The error of a request that was not sent for lack of a network.
    static func withoutNetwork(_ request: HTTPRequest) -> NetworkError {
        NetworkError(kind: .offline, reason: "there is no network; nothing was sent", request: request)
    }
}

extension URL {
    fileprivate var isLoopback: Bool {
        guard let host = host?.lowercased() else { return false }
        // A name such as `127.example.com` is not an address.
        let isAddress = host.hasPrefix("127.") && HostName.isAddress(host)
        return isAddress || host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || host == "[::1]"
    }
}
