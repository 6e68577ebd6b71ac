/// The interceptors of an engine in their order, and the wire behind the last of them.
package struct InterceptorChain: Sendable {
    package typealias Wire = @Sendable (HTTPRequest, RequestContext) async throws -> HTTPResponse

    /// Those that are asked for advice.
    private let advisers: [any RequestInterceptor]
    /// Those that a request goes through.
    private let interceptors: [any RequestInterceptor]
    private let wire: Wire

    package init(_ interceptors: [any RequestInterceptor], wire: @escaping Wire) {
        advisers = interceptors
        self.interceptors = interceptors
        self.wire = wire
    }

    /// The chain of an attempt: those that act on each exchange give advice here, and nothing else.
    package static func ofAttempt(_ interceptors: [any RequestInterceptor], wire: @escaping Wire) -> InterceptorChain {
        InterceptorChain(
            advisers: interceptors,
            interceptors: interceptors.filter { !($0 is any ExchangeInterceptor) },
            wire: wire
        )
    }

    private init(advisers: [any RequestInterceptor], interceptors: [any RequestInterceptor], wire: @escaping Wire) {
        self.advisers = advisers
        self.interceptors = interceptors
        self.wire = wire
    }

    /// Whether any link may wait for something but the next.
    package var mayWait: Bool { advisers.contains { $0.mayWait } }

    /// Sends a request through every link.
    package func send(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPResponse {
        try await send(request, from: 0, context: context)
    }

    /// Asks the links in order; the first decisive answer wins.
    package func advice(after error: NetworkError, context: RequestContext) async -> RetryDecision {
        for interceptor in advisers {
            let decision = await interceptor.retry(after: error, context: context)
            if case .doNotRetry = decision { continue }
            return decision
        }
        return .doNotRetry
    }

    private func send(_ request: HTTPRequest, from index: Int, context: RequestContext) async throws -> HTTPResponse {
        guard index < interceptors.count else { return try await wire(request, context) }
        let interceptor = interceptors[index]
        let adapted: HTTPRequest
        do {
            adapted = try await interceptor.adapt(request, context: context)
        } catch {
            throw NetworkError.interception(error, by: interceptor, in: "adapt", of: request)
        }
        do {
            return try await interceptor.intercept(adapted, context: context) { request in
                try await send(request, from: index + 1, context: context)
            }
        } catch {
            throw NetworkError.interception(error, by: interceptor, in: "intercept", of: adapted)
        }
    }
}

extension NetworkError {
    /// The error that a link threw: its own kind when it has one, else one that says which link it was.
    package static func interception(
        _ error: any Error,
        by interceptor: any RequestInterceptor,
        in hook: String,
        of request: HTTPRequest
    ) -> NetworkError {
        if let error = error as? NetworkError {
            return error.request == nil ? error.completed(request: request) : error
        }
        if error is CancellationError { return .cancelled(request) }
        let culprit = String(describing: type(of: interceptor))
        return NetworkError(
            kind: .interceptor,
            reason: "\(hook) of \(culprit) threw \(type(of: error))",
            request: request,
            underlying: error
        )
    }
}
