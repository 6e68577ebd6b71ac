import Foundation
public import NetworkEngine

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

/// A fault that occurs for a share of the requests.
///
/// ```swift
/// .failing(.lostBeforeResponse, probability: 0.05)
/// .answering(503, headers: ["Retry-After": "1"], probability: 0.1)
/// .losingTheAnswer(probability: 0.01)
/// ```
public struct ChaosFault: Sendable {
    enum Effect: Sendable {
        case failure(TransportFailure)
        case thrown(any Error)
        case answer(Int, HTTPHeaders)
        case lostAnswer
        case damagedBody
        case hang
    }

    let effect: Effect
    /// The share of requests with this fault, from 0 to 1.
    public var probability: Double

    /// Fails the request without sending it.
    public static func failing(_ failure: TransportFailure, probability: Double) -> ChaosFault {
        ChaosFault(effect: .failure(failure), probability: probability)
    }

    /// Throws an error without sending the request.
    public static func throwing(_ error: any Error, probability: Double) -> ChaosFault {
        ChaosFault(effect: .thrown(error), probability: probability)
    }

    /// Answers with a status without sending the request.
    public static func answering(_ status: Int, headers: HTTPHeaders = [:], probability: Double) -> ChaosFault {
        ChaosFault(effect: .answer(status, headers), probability: probability)
    }

    /// Sends the request and drops the response, so that the server's effects remain unknown to the caller.
    public static func losingTheAnswer(probability: Double) -> ChaosFault {
        ChaosFault(effect: .lostAnswer, probability: probability)
    }

    /// Sends the request and drops the second half of a response body in memory.
    public static func damagingTheBody(probability: Double) -> ChaosFault {
        ChaosFault(effect: .damagedBody, probability: probability)
    }

    /// Waits until the request is cancelled or the call's deadline passes.
    public static func hanging(probability: Double) -> ChaosFault {
        ChaosFault(effect: .hang, probability: probability)
    }
}
