/// Interceptors in request order, and the exchange after the last one.
package struct InterceptorChain: Sendable {
    package typealias Exchange = @Sendable (HTTPRequest, RequestContext) async throws -> HTTPResponse

    private let links: [Link]
    private let exchange: Exchange

    private struct Link {
        let interceptor: any RequestInterceptor
        let intercepts: Bool
        let adapts: Bool
        let marksSecrets: Bool

        init(_ interceptor: any RequestInterceptor) {
            self.interceptor = interceptor
            intercepts = !(interceptor is any NonInterceptingInterceptor)
            adapts = !(interceptor is any NonAdaptingInterceptor)
            marksSecrets = interceptor is any SecretMarkingInterceptor
        }
    }

    init(_ interceptors: [any RequestInterceptor], exchange: @escaping Exchange) {
        self.init(interceptors.map { Link($0) }, exchange)
    }

    private init(_ links: [Link], _ exchange: @escaping Exchange) {
        self.links = links
        self.exchange = exchange
    }

    /// Returns the same links with another exchange at the end.
    func ending(in exchange: @escaping Exchange) -> Self { Self(links, exchange) }

    /// The interceptors of all links.
    var interceptors: [any RequestInterceptor] { links.map(\.interceptor) }

    var isEmpty: Bool { links.isEmpty }

    /// Passes a request through every link to the exchange.
    func pass(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPResponse {
        if links.isEmpty { return try await exchange(request, context) }
        return try await pass(request, from: 0, context: context)
    }

    /// Passes a request only through the `adapt` hooks.
    func adapted(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        var request = request
        for link in links {
            if let parts = (link.interceptor as? any InterceptorGroup)?.parts {
                request = try await parts.adapted(request, context: context)
            } else if link.adapts {
                request = try await adapted(request, by: link, context)
            }
        }
        return request
    }

    private func pass(_ request: HTTPRequest, from index: Int, context: RequestContext) async throws -> HTTPResponse {
        var request = request
        var index = index
        while index < links.count {
            let link = links[index]
            if link.adapts { request = try await adapted(request, by: link, context) }
            index += 1
            if link.intercepts { return try await intercepted(request, by: link.interceptor, before: index, context) }
        }
        return try await exchange(request, context)
    }

    @inline(__always)
    private func adapted(
        _ request: HTTPRequest,
        by link: Link,
        _ context: RequestContext
    ) async throws -> HTTPRequest {
        do {
            let adapted = try await link.interceptor.adapt(request, context: context)
            return link.marksSecrets ? adapted : adapted.marking(placedSince: request)
        } catch {
            throw NetworkError.interception(error, by: link.interceptor, in: "adapt", of: request)
        }
    }

    @inline(__always)
    private func intercepted(
        _ request: HTTPRequest,
        by interceptor: any RequestInterceptor,
        before index: Int,
        _ context: RequestContext
    ) async throws -> HTTPResponse {
        do {
            return try await interceptor.intercept(request, context: context) { changed in
                try await pass(changed.marking(placedSince: request), from: index, context: context)
            }
        } catch {
            throw NetworkError.interception(error, by: interceptor, in: "intercept", of: request)
        }
    }
}

/// An interceptor that consists of others and runs them in `intercept`.
protocol InterceptorGroup: RequestInterceptor {
    var parts: InterceptorChain { get }
}

extension NetworkError {
    /// Returns the thrown error if it is a `NetworkError`; otherwise an error that contains the interceptor's type.
    static func interception(
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

extension Array where Element == any RequestInterceptor {
    /// The interceptors of these stages, in the order of the stages.
    func at(_ stages: InterceptorStage...) -> [any RequestInterceptor] {
        stages.flatMap { stage in filter { $0.stage == stage } }
    }

    /// Consults the interceptors in order. The first decision other than `doNotRetry` wins.
    func advice(after error: NetworkError, context: RequestContext) async -> RetryDecision {
        for interceptor in self {
            let decision = await interceptor.retry(after: error, context: context)
            if case .doNotRetry = decision { continue }
            return decision
        }
        return .doNotRetry
    }
}
