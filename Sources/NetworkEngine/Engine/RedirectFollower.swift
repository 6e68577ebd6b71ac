import Foundation

/// Follows redirects one by one, each with a full exchange.
struct RedirectFollower: Sendable {
    private let policy: RedirectPolicy
    private let trustedOrigins: [URL]
    /// Sends the request of one hop.
    private let exchange: InterceptorChain.Exchange

    init(
        _ policy: RedirectPolicy,
        _ trustedOrigins: [URL] = [],
        exchange: @escaping InterceptorChain.Exchange
    ) {
        self.policy = policy
        self.trustedOrigins = trustedOrigins
        self.exchange = exchange
    }

    /// Sends a request and follows redirects until a response is not a redirect.
    func follow(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPResponse {
        let response = try await hop(request, context)
        let policy = context.call.options.target?.redirects ?? policy
        guard policy.limit > 0, (300..<400).contains(response.statusCode) else { return response }
        return try await followRedirects(response, to: request, policy, context)
    }

    private func followRedirects(
        _ first: HTTPResponse,
        to request: HTTPRequest,
        _ policy: RedirectPolicy,
        _ context: RequestContext
    ) async throws(NetworkError) -> HTTPResponse {
        var response = first
        var current = request
        var hops = 0
        while let next = try next(after: response, to: current, policy, context) {
            // Only hops are counted, because a URL that redirects to itself may respond differently once a cookie is
            // set.
            guard hops < policy.limit else {
                throw failure("more than \(policy.limit) redirects", after: response)
            }
            hops += 1
            context.call.options.observation?.redirected(by: response, to: next)
            response.discardFile()
            if Task.isCancelled { throw .cancelled(next) }
            // The server has carried out the request, and the next one only fetches the result.
            if next.method != current.method, !current.mayHappenTwice { context.call.options.storage?.noteApplied() }
            current = next
            response = try await hop(next, context)
        }
        return response
    }

    private func next(
        after response: HTTPResponse,
        to request: HTTPRequest,
        _ policy: RedirectPolicy,
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

    /// From here on, an error did not come from an attempt's interceptors.
    private func hop(_ request: HTTPRequest, _ context: RequestContext) async throws(NetworkError) -> HTTPResponse {
        do {
            return try await exchange(request, context)
        } catch {
            throw .transport(error, request: request)
        }
    }

    private func failure(_ reason: String, after response: HTTPResponse) -> NetworkError {
        NetworkError(kind: .redirect, reason: reason, response: response)
    }
}
