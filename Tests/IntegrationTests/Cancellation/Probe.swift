@testable import NetworkEngine

/// Counts running work, stops calls in one of its hooks, and always suggests another attempt.
final class Probe: RequestInterceptor {
    enum Place { case nowhere, adapt, intercept }

    let place: Place
    let isDeaf: Bool
    let advice: RetryDecision
    let gate = Gate()
    /// The attempts that all calls have started.
    let attempts = Tally()
    /// The attempts that are currently running.
    let running = Tally()
    let advised = Tally()
    private let onEnd: Tally?

    init(stoppingIn place: Place = .nowhere, isDeaf: Bool = false, advice: RetryDecision = .retry, onEnd: Tally? = nil)
    {
        self.place = place
        self.isDeaf = isDeaf
        self.advice = advice
        self.onEnd = onEnd
    }

    deinit { onEnd?.add() }

    func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        attempts.add()
        if place == .adapt { try await stop() }
        return request
    }

    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> HTTPResponse {
        running.add()
        defer { running.add(-1) }
        if place == .intercept { try await stop() }
        return try await next(request)
    }

    func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision {
        advised.add()
        return advice
    }

    private func stop() async throws {
        running.add()
        defer { running.add(-1) }
        if isDeaf { await gate.passDeaf() } else { try await gate.pass() }
    }
}
