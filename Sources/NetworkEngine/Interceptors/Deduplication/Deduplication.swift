import Foundation

/// Lets requests that ask the same at the same time share one exchange.
///
/// ```swift
/// let provider = NetworkProvider<UserAPI>(interceptors: [RetryPolicy(), refresher, Deduplication()])
/// ```
/// Only methods that read, and only until the answer has come: nothing is kept. The same is the same method, address, body,
/// timeout, priority and headers, the credential and the cookies among them, over the same transport. It acts on each
/// exchange, wherever it stands in the list, and compares what every other interceptor has made of the request. Each caller
/// can be cancelled by itself; when the last one is, the exchange ends. All of them get the same answer or error, and the
/// first one gets the reports of progress. Downloads to files, streams and renewals of a credential do not share. Copies
/// share exchanges.
public struct Deduplication: ExchangeInterceptor {
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
        let timeout: Duration?
        let priority: TransportContext.Priority
        let limits: TransferLimits
        let transport: ObjectIdentifier?
    }

    public init() {}

    /// How many calls wait for an answer now, whether one of their own or a shared one.
    public var waitingCalls: Int { state.withLock { $0.table.riders } }

    public func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> HTTPResponse {
        guard let key = key(of: request, context) else { return try await next(request) }
        var hasAskedAgain = false
        while true {
            let (result, isFirst) = try await result(for: key, context) { try await next(request) }
            if isFirst { return try result.get() }
            if case .success(let response) = result, case .stream = response.body {
                // It can be read by one.
                return try await next(request)
            }
            let timeout = Self.timeout(in: result)
            // The first caller had less time, or the exchange began before this call joined, which still has time to wait.
            let hasTime = timeout == .deadline ? context.timeLeft != .zero : timeout != nil && !hasAskedAgain
            guard hasTime else {
                context.noteShared()
                return try result.get()
            }
            if timeout != .deadline { hasAskedAgain = true }
        }
    }

    /// Joins an exchange or begins one, and waits for what it brings.
    private func result(
        for key: Key,
        _ context: RequestContext,
        _ exchange: @escaping @Sendable () async throws -> HTTPResponse
    ) async throws -> (Result<HTTPResponse, any Error>, isFirst: Bool) {
        let (ticket, shared) = state.withLock { state in
            let ticket = state.table.board(key, as: context.requestID)
            let shared = state.flights[ticket.flight] ?? SharedFlight()
            if ticket.isFirst { state.flights[ticket.flight] = shared }
            return (ticket, shared)
        }
        if ticket.isFirst { start(ticket, shared, exchange) }
        do {
            return (try await shared.result.wait(), ticket.isFirst)
        } catch {
            leave(ticket)
            throw error
        }
    }

    private func start(
        _ ticket: FlightTable<Key>.Ticket,
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
                state.table.land(ticket)
                state.flights[ticket.flight] = nil
            }
            shared.result.settle(result)
        }
        state.withLock { $0.flights[ticket.flight]?.task = task }
    }

    private func leave(_ ticket: FlightTable<Key>.Ticket) {
        let abandoned = state.withLock { state -> Task<Void, Never>? in
            guard state.table.leave(ticket) else { return nil }
            return state.flights.removeValue(forKey: ticket.flight)?.task
        }
        abandoned?.cancel()
    }

    private static func timeout(in result: Result<HTTPResponse, any Error>) -> TransportFailure.TimeoutPhase? {
        guard case .failure(let error as NetworkError) = result, case .timeout(let phase)? = error.transportFailure
        else { return nil }
        return phase
    }

    /// What a request has in common with those that it may share an exchange with; `nil` when it is to have its own.
    private func key(of request: HTTPRequest, _ context: RequestContext) -> Key? {
        let call = context.call
        guard request.method.isSafe, call.files == nil, !context.isStreaming, !context.isRefresh else { return nil }
        let body = request.body.data
        // The bytes of a file or a stream are not known here.
        guard request.body.isNone || body != nil else { return nil }
        var headers = request.headers
        headers.removeAll { ignoredHeaders.contains($0.lowercased()) }
        return Key(
            method: request.method,
            url: request.url.absoluteString,
            headers: headers,
            body: body,
            timeout: request.timeout ?? call.terms.timeout,
            priority: call.transport.priority,
            limits: call.transport.limits,
            transport: call.terms.transport
        )
    }
}
