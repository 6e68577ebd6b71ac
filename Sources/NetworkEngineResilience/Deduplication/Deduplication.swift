import Foundation
public import NetworkEngine

/// Lets equal concurrent requests share one exchange.
///
/// ```swift
/// let provider = NetworkProvider<UserAPI>(interceptors: [RetryPolicy(), refresher, Deduplication()])
/// ```
/// Applies to methods that only read, and only until the response arrives: no response is stored. Requests are equal if
/// they have the same method, URL, body, timeout, priority, transport, cache policy and headers, including the
/// credential and cookies. The interceptor acts on each exchange, regardless of its position in the list, and compares
/// the requests after all other interceptors have changed them. Each caller can be canceled separately; the exchange is
/// canceled with the last one. All callers receive the same response or error. Only the first caller receives progress
/// reports. Downloads to files, streams and credential refreshes do not share exchanges. Copies share their exchanges.
public struct Deduplication: ExchangeInterceptor, NonAdaptingInterceptor, ComposedInterceptor {
    /// The headers that may differ between equal requests, such as trace identifiers. Case is ignored.
    public var ignoredHeaders: Set<String> = ["traceparent", "tracestate", "x-request-id"]
    private let state = Locked(State())

    private typealias Ticket = SharedExchangeTable<Key>.Ticket

    private struct State {
        var table = SharedExchangeTable<Key>()
        var exchanges: [Int: SharedExchange] = [:]
    }

    private struct SharedExchange {
        typealias Running = Task<Result<HTTPResponse, any Error>, Never>

        let result = OneShot<Result<HTTPResponse, any Error>>()
        /// The exchange's task, and whether it was canceled because all calls have left it.
        let running = Locked<(task: Running?, isAbandoned: Bool)>((nil, false))
    }

    private struct Key: Hashable, Sendable {
        let method: HTTPMethod
        let url: String
        let headers: HTTPHeaders
        let body: Data?
        let timeout: Duration?
        let priority: TransportContext.Priority
        let limits: TransferLimits
        let cachePolicy: CachePolicy
        let transport: ObjectIdentifier?
        /// Whether the body of a redirect is dropped.
        let followsRedirects: Bool
        /// Whether the request has left its base's origin, which a client certificate is for.
        let isForeign: Bool
    }

    /// Creates an interceptor that shares exchanges with its copies only.
    public init() {}

    package static let compositionRules: [CompositionRule] = [.unique]

    /// The number of calls that wait for a response, including the calls that started an exchange.
    public var waitingCalls: Int { state.withLock { $0.table.waitingCount } }

    public var stage: InterceptorStage { .sharing }

    public func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> HTTPResponse {
        guard let key = key(of: request, context) else { return try await next(request) }
        var hasRepeated = false
        while true {
            let (result, isFirst) = try await result(for: key, context) { try await next(request) }
            if isFirst { return try result.get() }
            if case .success(let response) = result, case .stream = response.body {
                // Only one caller can read a stream.
                return try await next(request)
            }
            let timeout = Self.timeout(in: result)
            // The first caller had less time, or the exchange began before this call joined, so this call still has
            // time.
            let hasTime = timeout == .deadline ? context.timeLeft != .zero : timeout != nil && !hasRepeated
            guard hasTime else {
                context.recordSharedExchange()
                return try result.get()
            }
            if timeout != .deadline { hasRepeated = true }
        }
    }

    /// Joins an exchange or starts one, and waits for its result.
    private func result(
        for key: Key,
        _ context: RequestContext,
        _ exchange: @escaping @Sendable () async throws -> HTTPResponse
    ) async throws -> (Result<HTTPResponse, any Error>, isFirst: Bool) {
        let (ticket, shared) = state.withLock { state in
            let ticket = state.table.join(key, as: context.requestID)
            let shared = state.exchanges[ticket.exchange] ?? SharedExchange()
            if ticket.isFirst { state.exchanges[ticket.exchange] = shared }
            return (ticket, shared)
        }
        if ticket.isFirst { start(ticket, shared, exchange) }
        do {
            // The exchange runs in a separate task. It is canceled before the call's end is known, not when this task
            // continues: until then an interceptor could still send the request.
            return try await withTaskCancellationHandler {
                (try await shared.result.wait(), ticket.isFirst)
            } onCancel: {
                leave(ticket, shared)
            }
        } catch {
            let (task, isAbandoned) = shared.running.withLock { $0 }
            // The exchange determines whether the deadline passed on the host's side or in a queue.
            if isAbandoned, context.timeLeft == .zero, case .failure(let reason)? = await task?.value { throw reason }
            throw error
        }
    }

    private func start(
        _ ticket: Ticket,
        _ shared: SharedExchange,
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
                state.table.end(ticket)
                state.exchanges[ticket.exchange] = nil
            }
            shared.result.settle(result)
            return result
        }
        shared.running.withLock { $0.task = task }
    }

    /// Stops waiting. The exchange is canceled if no other call waits for it.
    private func leave(_ ticket: Ticket, _ shared: SharedExchange) {
        let isLast = state.withLock { state in
            guard state.table.leave(ticket) else { return false }
            state.exchanges[ticket.exchange] = nil
            return true
        }
        guard isLast else { return }
        let task = shared.running.withLock { running in
            running.isAbandoned = true
            return running.task
        }
        task?.cancel()
    }

    private static func timeout(in result: Result<HTTPResponse, any Error>) -> TransportFailure.TimeoutPhase? {
        guard case .failure(let error as NetworkError) = result, case .timeout(let phase)? = error.transportFailure
        else { return nil }
        return phase
    }

    /// Returns the key that equal requests share; `nil` for a request that needs a separate exchange.
    private func key(of request: HTTPRequest, _ context: RequestContext) -> Key? {
        let call = context.call.options
        guard request.method.isSafe, call.files == nil, !context.isStreaming, !context.isRefresh else { return nil }
        let body = request.body.data
        // The bytes of a file or stream are not available here.
        guard request.body.isAbsent || body != nil else { return nil }
        var headers = request.headers
        headers.removeAll { name in ignoredHeaders.contains { $0.equalsIgnoringASCIICase(name) } }
        return Key(
            method: request.method,
            url: request.url.absoluteString,
            headers: headers,
            body: body,
            timeout: request.timeout ?? call.sharingKey.timeout,
            priority: call.transport.priority,
            limits: call.transport.limits,
            cachePolicy: context.target?.cachePolicy ?? .useProtocol,
            transport: call.sharingKey.transport,
            followsRedirects: call.transport.followsRedirects,
            isForeign: request.secrets?.isForeign == true
        )
    }
}

/// A call's last attempt that used another call's exchange.
private struct SharedAttempt: Sendable {
    let attempt: Int
}

extension RequestContext {
    fileprivate func recordSharedExchange() {
        call.options.storage?.set(SharedAttempt(attempt: attempt), for: ObjectIdentifier(SharedAttempt.self))
    }

    /// Whether this attempt used another call's exchange, so that its result provides no new information about the
    /// host.
    var hasSharedExchange: Bool {
        let shared: SharedAttempt? = call.options.storage?.value(for: ObjectIdentifier(SharedAttempt.self))
        return shared?.attempt == attempt
    }
}
