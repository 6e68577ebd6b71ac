package import Foundation

/// Follows redirects one by one, each with a full exchange.
package struct RedirectFollower: Sendable {
    private let policy: RedirectPolicy
    private let trustedOrigins: [URL]
    private let runner: ExchangeRunner
    /// The interceptors of each exchange, if there are any.
    private let hops: InterceptorChain?

    package init(
        policy: RedirectPolicy,
        trustedOrigins: [URL] = [],
        runner: ExchangeRunner,
        interceptors: [any RequestInterceptor] = [],
        layers: [any ExchangeLayer] = []
    ) {
        self.policy = policy
        self.trustedOrigins = trustedOrigins
        self.runner = runner
        let exchange: InterceptorChain.Exchange = { try await runner.exchange($0, context: $1) }
        let (above, below) = InterceptorChain.aroundAnswers(interceptors)
        let rest = InterceptorChain(below, exchange: exchange)
        let pass: InterceptorChain.Exchange = { try await rest.pass($0, context: $1) }
        guard let layer = layers.lazy.compactMap({ $0.answering(by: pass) }).first else {
            hops = InterceptorChain.ofExchange(interceptors, exchange: exchange)
            return
        }
        let saving = rest.ending(in: { try await runner.exchange($0, context: $1, answering: layer) })
        let answered: InterceptorChain.Exchange = { request, context in
            if context.call.options.files != nil { return try await saving.pass(request, context: context) }
            // A stored response is no connection.
            if context.call.options.transport.upgrade != nil { return try await rest.pass(request, context: context) }
            return try await layer.answer(request, context: context, by: nil)
        }
        hops = InterceptorChain.ofExchange(above, exchange: answered) ?? InterceptorChain([], exchange: answered)
    }

    /// Sends a request and follows redirects until a response is not a redirect.
    package func follow(_ request: HTTPRequest, context: RequestContext) async throws(NetworkError) -> HTTPResponse {
        let response = try await exchange(request, context)
        guard policy.limit > 0, (300..<400).contains(response.statusCode) else { return response }
        return try await followRedirects(response, to: request, context)
    }

    private func followRedirects(
        _ first: HTTPResponse,
        to request: HTTPRequest,
        _ context: RequestContext
    ) async throws(NetworkError) -> HTTPResponse {
        var response = first
        var current = request
        var hops = 0
        while let next = try next(after: response, to: current, context) {
            // Only hops are counted: an address that redirects to itself may answer differently once a cookie is set.
            guard hops < policy.limit else {
                throw failure("more than \(policy.limit) redirects", after: response)
            }
            hops += 1
            context.call.options.observation?.redirected(by: response, to: next)
            response.discardFile()
            if Task.isCancelled { throw .cancelled(next) }
            current = next
            response = try await exchange(next, context)
        }
        return response
    }

    private func next(
        after response: HTTPResponse,
        to request: HTTPRequest,
        _ context: RequestContext
    ) throws(NetworkError) -> HTTPRequest? {
        try Redirect.next(
            after: response,
            to: request,
            policy: policy,
            trustedOrigins: trustedOrigins,
            isRefresh: context.isRefresh,
            upgrade: context.call.options.transport.upgrade
        )
    }

    private func exchange(
        _ request: HTTPRequest,
        _ context: RequestContext
    ) async throws(NetworkError) -> HTTPResponse {
        guard let hops else { return try await runner.exchange(request, context: context) }
        do {
            return try await hops.pass(request, context: context)
        } catch {
            throw .transport(error, request: request)
        }
    }

    private func failure(_ reason: String, after response: HTTPResponse) -> NetworkError {
        NetworkError(kind: .redirect, reason: reason, response: response)
    }
}
