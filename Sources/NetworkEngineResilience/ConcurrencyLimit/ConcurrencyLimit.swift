import Foundation
public import NetworkEngine

/// Limits concurrent exchanges, overall and per host. Excess requests wait in a bounded queue.
///
/// ```swift
/// let limit = ConcurrencyLimit(total: 256, perHost: 64, queueLength: 1000)
/// let provider = NetworkProvider<UserAPI>(interceptor: limit)
/// ```
/// The queue is ordered by priority (`TargetType.priority`) and arrival, without starvation. The wait counts toward the
/// call's deadline, not its timeout. A credential refresh goes first, with a reserved permit beyond the limits. If the
/// queue is full, a request fails immediately with a `.limit` error, so that a burst cannot exhaust the memory. A burst
/// of 5,000 calls needs a `queueLength` of 5,000. Copies share the permits.
///
/// A host can receive more requests than it can answer. To answer as many as possible, a request gets no permit if its
/// deadline leaves less time than the host needs for similar requests, and the newest requests go first until the queue
/// is empty. If the host itself falls behind, so that requests miss their deadlines there or would miss them, the
/// host's limit drops below `perHost` and rises again when the host answers faster. Requests are similar if they have
/// the same method and template; without a template, if they have no body and the same method and URL.
///
/// The limit applies to each exchange: a call holds no permit while it waits for a retry, a credential or the network.
/// A stream returns its permit when the response head arrives.
public struct ConcurrencyLimit: ExchangeInterceptor, NonAdaptingInterceptor {
    private let queue: Locked<PermitQueue>

    /// The number of requests in the queue.
    var waitingCount: Int { queue.withLock { $0.waitingCount } }

    /// Creates a limit.
    ///
    /// - Parameters:
    ///   - total: the maximum number of concurrent exchanges; at least 1.
    ///   - perHost: the maximum number of concurrent exchanges with one scheme, host and port; at least 1.
    ///   - queueLength: the maximum number of waiting requests. Further requests fail immediately.
    public init(total: Int = 256, perHost: Int = 64, queueLength: Int = 1000) {
        queue = Locked(PermitQueue(total: total, perHost: perHost, length: queueLength))
    }

    /// It waits, but never beyond the call's deadline.
    public var stage: InterceptorStage { .sending }

    public var mayWait: Bool { false }

    /// Changes the limits. Running exchanges continue; waiting requests get the additional permits.
    public func resize(total: Int, perHost: Int) {
        let permits = queue.withLock { $0.resize(total: total, perHost: perHost) }
        for permit in permits { permit.settle(()) }
    }

    public func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> HTTPResponse {
        let rank = context.call.options.transport.rank
        let host = request.url.origin.text
        let kind = Self.kind(of: request, context)
        guard let claim = queue.withLock({ $0.enter(host: host, rank: rank, kind: kind) }) else {
            throw NetworkError(
                kind: .limit, reason: "the queue of the ConcurrencyLimit is full", request: request,
                figures: ErrorFigures(waiting: waitingCount))
        }
        var visit = Visit(context)
        if let permit = claim.permit { try await wait(for: permit, claim, request, context) }
        let timeLeft = context.timeLeft
        visit.isAdmitted(among: queue.withLock { $0.begin(claim, timeLeft: timeLeft) }, timeLeft: timeLeft)
        do {
            let response = try await next(request)
            // A rejection is fast, and unrelated to how long an answer takes.
            let isAnswer = response.statusCode < 400 && response.source != .cache
            leave(claim, isAnswer ? visit.answered : nil)
            return response
        } catch {
            leave(claim, visit.service(endedBy: error))
            throw error
        }
    }

    private func wait(
        for permit: OneShot<Void>,
        _ claim: PermitQueue.Claim,
        _ request: HTTPRequest,
        _ context: RequestContext
    ) async throws {
        let deadline = context.call.options.transport.deadline
        deadline?.move(from: nil, to: .queue)
        let result: Void? = try? await context.value(of: permit)
        let timeLeft = deadline?.timeLeft
        if result != nil, !Task.isCancelled, queue.withLock({ $0.isInTime(claim, timeLeft: timeLeft) }) {
            deadline?.move(from: .queue, to: nil)
            return
        }
        // Created before the request leaves the queue, so that the error includes where the call was.
        let isLate = timeLeft != nil && (timeLeft == .zero || !Task.isCancelled)
        let error =
            Task.isCancelled
            ? NetworkError.cancelled(request)
            : .deadlinePassed(request, of: deadline, isQueued: true, isAhead: timeLeft != .zero)
        deadline?.move(from: .queue, to: nil)
        // The permit can arrive simultaneously. It must not be lost.
        let isWaiting = queue.withLock { $0.withdraw(claim, isLate: isLate) }
        if !isWaiting { isLate ? decline(claim) : leave(claim, nil) }
        throw error
    }

    /// Identifies requests that take about the same time; `nil` if unknown.
    private static func kind(of request: HTTPRequest, _ context: RequestContext) -> String? {
        let method = request.method.rawValue
        if let template = context.template { return "\(method) \(template)" }
        // The server's work can depend on the body.
        guard request.body.isAbsent else { return nil }
        let address = request.url.absoluteString
        return "\(method) \(address[..<(address.utf8.firstIndex(of: UInt8(ascii: "?")) ?? address.endIndex)])"
    }

    private func decline(_ claim: PermitQueue.Claim) {
        let next = queue.withLock { $0.decline(claim) }
        next?.settle(())
    }

    private func leave(_ claim: PermitQueue.Claim, _ service: HostLoad.Service?) {
        let next = queue.withLock { $0.leave(claim, after: service) }
        for permit in next { permit.settle(()) }
    }
}

/// Measures a request's time in the queue and with the host.
private struct Visit {
    private let timebase: Timebase?
    private let arrival: Duration
    private var admission: Duration
    private var timeLeft: Duration?
    /// The number of exchanges with the host, including this one.
    private var count = 0

    init(_ context: RequestContext) {
        timebase = context.call.options.timers?.timebase
        arrival = timebase?.now ?? .zero
        admission = arrival
    }

    mutating func isAdmitted(among count: Int, timeLeft: Duration?) {
        admission = timebase?.now ?? .zero
        (self.count, self.timeLeft) = (count, timeLeft)
    }

    private var serviceTime: Duration? { timebase.map { $0.now - admission } }

    var answered: HostLoad.Service? { serviceTime.map { .answered(in: $0, of: timeLeft, among: count) } }

    /// What a failed exchange reveals about the host; `nil` for nothing.
    func service(endedBy error: any Error) -> HostLoad.Service? {
        guard let error = error as? NetworkError, case .timeout = error.transportFailure, !error.isTimeoutInQueue,
            let serviceTime
        else { return nil }
        return serviceTime >= admission - arrival ? .missed : .delayed
    }
}
