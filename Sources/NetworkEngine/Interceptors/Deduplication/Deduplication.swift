import Foundation

/// Lets requests that ask the same at the same time share one exchange.
///
/// ```swift
/// let provider = NetworkProvider<UserAPI>(interceptors: [RetryPolicy(), refresher, Deduplication()])
/// ```
/// Only methods that read, and only until the answer has come: nothing is kept. The same is the same method, address, body
/// and headers, the credential among them; so it stands inside of what sets headers. Each caller can be cancelled by
/// itself; when the last one is, the exchange ends. All of them get the same answer or error. Downloads to files and streams do
/// not share.
public struct Deduplication: RequestInterceptor {
    /// Headers that may differ, such as trace identifiers.
    public var ignoredHeaders: Set<String> = ["traceparent", "tracestate", "x-request-id"]
    private let state = Locked(State())

    private struct State {
        var table = FlightTable<Key>()
        var flights: [Int: SharedFlight] = [:]
    }

    private struct SharedFlight {
        let result = OneShot<Result<HTTPResponse, any Error>>()
        var task: Task<Void, Never>?
    }

    private struct Key: Hashable, Sendable {
        let method: HTTPMethod
        let url: String
        let headers: HTTPHeaders
        let body: Data?
    }

    public init() {}

    /// How many calls wait for an answer now, whether one of their own or a shared one.
    public var waitingCalls: Int { state.withLock { $0.table.riders } }

    public func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> HTTPResponse {
        guard context.call.files == nil, !context.isStreaming, let key = key(of: request) else {
            return try await next(request)
        }
        let (flight, shared, isFirst) = state.withLock { state in
            let (flight, isFirst) = state.table.board(key)
            let shared = state.flights[flight] ?? SharedFlight()
            if isFirst { state.flights[flight] = shared }
            return (flight, shared, isFirst)
        }
        if isFirst { start(flight, key, shared) { try await next(request) } }
        let result: Result<HTTPResponse, any Error>
        do {
            result = try await shared.result.wait()
        } catch {
            leave(flight, key)
            throw error
        }
        if !isFirst, case .success(let response) = result, case .stream = response.body {
            // It can be read by one.
            return try await next(request)
        }
        if !isFirst, Self.isOutOfTime(result), context.timeLeft != .zero {
            // The one who began it had less time; this one has some left.
            return try await intercept(request, context: context, next: next)
        }
        return try result.get()
    }

    private static func isOutOfTime(_ result: Result<HTTPResponse, any Error>) -> Bool {
        guard case .failure(let error as NetworkError) = result else { return false }
        return error.transportFailure == .timeout(.deadline)
    }

    private func start(
        _ flight: Int,
        _ key: Key,
        _ shared: SharedFlight,
        _ exchange: @escaping @Sendable () async throws -> HTTPResponse
    ) {
        let task = Task {
            let result: Result<HTTPResponse, any Error>
            do {
                result = .success(try await exchange())
            } catch {
                result = .failure(error)
            }
            state.withLock { state in
                state.table.land(flight, key)
                state.flights[flight] = nil
            }
            shared.result.settle(result)
        }
        state.withLock { $0.flights[flight]?.task = task }
    }

    private func leave(_ flight: Int, _ key: Key) {
        let abandoned = state.withLock { state -> Task<Void, Never>? in
            guard state.table.leave(flight, key) else { return nil }
            return state.flights.removeValue(forKey: flight)?.task
        }
        abandoned?.cancel()
    }

    private func key(of request: HTTPRequest) -> Key? {
        guard request.method.isSafe else { return nil }
        let body = request.body.data
        // The bytes of a file or a stream are not known here.
        guard request.body.isNone || body != nil else { return nil }
        var headers = request.headers
        headers.removeAll { ignoredHeaders.contains($0.lowercased()) }
        return Key(method: request.method, url: request.url.absoluteString, headers: headers, body: body)
    }
}
