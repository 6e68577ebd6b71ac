import Foundation
public import NetworkEngine
import NetworkEngineMocks

/// Delays some requests and fails others, always the same ones for the same seed.
///
/// ```swift
/// var chaos = ChaosInterceptor(seed: 7)
/// chaos.latency = .milliseconds(20)...Duration.milliseconds(200)
/// chaos.faults = [.failing(.lostBeforeResponse, probability: 0.05), .answering(503, probability: 0.1)]
/// let provider = NetworkProvider<UserAPI>(interceptors: [RetryTwice(), chaos])
/// ```
/// Place it last, so that the other interceptors see its faults. A request has at most one fault: probabilities add up,
/// and faults beyond a sum of 1 never occur. The n-th request of a method to a URL has the same outcome in every run,
/// regardless of concurrent requests. Copies share the request counts.
public struct ChaosInterceptor: RequestInterceptor {
    /// The faults, with their probabilities.
    public var faults: [ChaosFault] = []
    /// The delay before a request is sent, evenly distributed over this range.
    public var latency: ClosedRange<Duration> = .zero...Duration.zero
    private let clock: any Clock<Duration>
    private let plan: Locked<ChaosPlan>

    /// - Parameter clock: Measures the delays.
    public init(seed: UInt64, clock: any Clock<Duration> = ContinuousClock()) {
        plan = Locked(ChaosPlan(seed: seed))
        self.clock = clock
    }

    public func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> HTTPResponse {
        let outcome = plan.withLock { $0.outcome(of: request, among: faults) }
        let delay = latency.lowerBound + (latency.upperBound - latency.lowerBound) * outcome.latency
        try await clock.pause(for: delay)
        switch outcome.fault?.effect {
        case nil: return try await next(request)
        case .failure(let failure): throw NetworkError(failure, reason: "chaos", request: request)
        case .thrown(let error): throw error
        case .answer(let status, let headers):
            return HTTPResponse(statusCode: status, headers: headers, request: request)
        case .lostAnswer:
            let response = try await next(request)
            response.discardFile()
            throw NetworkError(.lostBeforeResponse, reason: "chaos", request: response.request)
        case .damagedBody:
            var response = try await next(request)
            if let data = response.body.data { response.body = .data(data.prefix(data.count / 2)) }
            return response
        case .hang: throw await untilCancelled()
        }
    }
}
