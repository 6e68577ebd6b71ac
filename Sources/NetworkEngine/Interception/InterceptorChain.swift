/// The interceptors of an engine in order, and the transport after the last one.
package struct InterceptorChain: Sendable {
    package typealias Exchange = @Sendable (HTTPRequest, RequestContext) async throws -> HTTPResponse

    /// The interceptors that give advice about retries.
    private let advisers: [any RequestInterceptor]
    /// The interceptors that a request passes through.
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

    package init(_ interceptors: [any RequestInterceptor], exchange: @escaping Exchange) {
        self.init(interceptors, interceptors.map { Link($0) }, exchange)
    }

    /// Returns the chain of an attempt. Interceptors that act on each exchange only give advice here.
    package static func ofAttempt(_ interceptors: [any RequestInterceptor], exchange: @escaping Exchange) -> Self {
        let links = interceptors.filter { !($0 is any ExchangeInterceptor) }.map { Link($0) }
        return Self(interceptors, links, exchange)
    }

    /// Returns the chain of an exchange; `nil` if no interceptor acts on exchanges.
    ///
    /// Interceptors that sign requests run after all others that can change a request, and those that share exchanges
    /// after these, regardless of their position in the list: they sign and compare requests as sent.
    package static func ofExchange(_ interceptors: [any RequestInterceptor], exchange: @escaping Exchange) -> Self? {
        var links = interceptors.filter {
            $0 is any ExchangeInterceptor && !($0 is any ExchangeSharingInterceptor)
                && !($0 is any RequestSigningInterceptor)
        }
        let end = links.lastIndex { !($0 is any NonAdaptingInterceptor) }.map { $0 + 1 } ?? 0
        let last =
            interceptors.filter { $0 is any RequestSigningInterceptor }
            + interceptors.filter { $0 is any ExchangeSharingInterceptor }
        links.insert(contentsOf: last, at: end)
        return links.isEmpty ? nil : Self(links, exchange: exchange)
    }

    /// Returns the interceptors of an exchange that run before a layer that answers, and those that act only on what is
    /// sent: limits, and the storing of cookies.
    package static func aroundAnswers(
        _ interceptors: [any RequestInterceptor]
    ) -> (above: [any RequestInterceptor], below: [any RequestInterceptor]) {
        let ofExchange = interceptors.filter { $0 is any ExchangeInterceptor }
        let isBelow = { (link: any RequestInterceptor) in
            link is any NonAdaptingInterceptor && !(link is any ExchangeSharingInterceptor)
        }
        return (ofExchange.filter { !isBelow($0) }, ofExchange.filter(isBelow))
    }

    private init(_ advisers: [any RequestInterceptor], _ links: [Link], _ exchange: @escaping Exchange) {
        self.advisers = advisers
        self.links = links
        self.exchange = exchange
    }

    /// Returns the same links with another exchange at the end.
    package func ending(in exchange: @escaping Exchange) -> Self { Self(advisers, links, exchange) }

    /// The interceptors of all links.
    package var interceptors: [any RequestInterceptor] { links.map(\.interceptor) }

    /// Whether any interceptor can wait for anything but the rest of the chain.
    package var mayWait: Bool { advisers.contains { $0.mayWait } }

    /// Passes a request through every link to the exchange.
    package func pass(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPResponse {
        if links.isEmpty { return try await exchange(request, context) }
        return try await pass(request, from: 0, context: context)
    }

    /// Passes a request through the `adapt` hooks alone: first those of an attempt, then those of an exchange.
    package static func adapted(
        _ request: HTTPRequest,
        by interceptors: [any RequestInterceptor],
        context: RequestContext
    ) async throws -> HTTPRequest {
        let nothing: Exchange = { request, _ in throw NetworkError.cancelled(request) }
        let chains = [ofAttempt(interceptors, exchange: nothing), ofExchange(interceptors, exchange: nothing)]
        var request = request
        for chain in chains.compactMap({ $0 }) {
            for link in chain.links {
                if let parts = (link.interceptor as? any InterceptorGroup)?.parts {
                    for part in parts.links where part.adapts {
                        request = try await parts.adapted(request, by: part, context)
                    }
                } else if link.adapts {
                    request = try await chain.adapted(request, by: link, context)
                }
            }
        }
        return request
    }

    /// Asks the interceptors in order. The first answer but `doNotRetry` wins.
    package func advice(after error: NetworkError, context: RequestContext) async -> RetryDecision {
        for interceptor in advisers {
            let decision = await interceptor.retry(after: error, context: context)
            if case .doNotRetry = decision { continue }
            return decision
        }
        return .doNotRetry
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

/// An interceptor that consists of others, which it runs in `intercept`.
package protocol InterceptorGroup: RequestInterceptor {
    var parts: InterceptorChain { get }
}

extension NetworkError {
    /// Returns the thrown error if it is a `NetworkError`, else one that names the interceptor.
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
