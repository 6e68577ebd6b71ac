import Foundation
public import NetworkEngine

/// Makes some requests late and some go wrong, the same ones for the same seed.
///
/// ```swift
/// var chaos = ChaosInterceptor(seed: 7)
/// chaos.latency = .milliseconds(20)...Duration.milliseconds(200)
/// chaos.faults = [.failing(.lostBeforeResponse, probability: 0.05), .answering(503, probability: 0.1)]
/// let provider = NetworkProvider<UserAPI>(interceptors: [RetryTwice(), chaos])
/// ```
/// Put it last, so that the others meet what it does. At most one fault happens to a request: probabilities add up, and
/// what is behind the sum of 1 never happens. The n-th request of a method to an address has the same fate in every run,
/// whatever else is going on. Copies share the count of requests.
public struct ChaosInterceptor: RequestInterceptor {
    public var faults: [ChaosFault] = []
    /// How late a request is sent, evenly spread over this span.
    public var latency: ClosedRange<Duration> = .zero...Duration.zero
    private let clock: any Clock<Duration>
    private let plan: Locked<ChaosPlan>

    /// - Parameter clock: what latencies are measured on.
    public init(seed: UInt64, clock: any Clock<Duration> = ContinuousClock()) {
        plan = Locked(ChaosPlan(seed: seed))
        self.clock = clock
    }

    public func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> HTTPResponse {
        let fate = plan.withLock { $0.fate(of: request, among: faults) }
        let delay = latency.lowerBound + (latency.upperBound - latency.lowerBound) * fate.latency
        if delay > .zero { try await Timebase.reading(clock).sleep(for: delay) }
        switch fate.fault?.effect {
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
        case .silence: throw await untilCancelled()
        }
    }
}
