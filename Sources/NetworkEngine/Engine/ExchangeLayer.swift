package import Foundation

/// A part of a configuration that takes part in exchanges, such as a cookie jar or a cache.
package protocol ExchangeLayer: Sendable {
    /// The interceptors that act on each exchange, after those of the client.
    var interceptors: [any RequestInterceptor] { get }
    /// Returns the step that can answer a request in place of the rest of the chain.
    func answering(by rest: @escaping InterceptorChain.Exchange) -> (any ExchangeAnswering)?
    /// Takes what a response says that no chain has passed on: one of a transfer in the background.
    func receive(_ headers: HTTPHeaders, from url: URL)
}

/// Answers requests without the rest of the chain, or with what it sends.
package protocol ExchangeAnswering: Sendable {
    /// - Parameter send: sends this request in another way than by the rest of the chain.
    func answer(
        _ request: HTTPRequest,
        context: RequestContext,
        by send: InterceptorChain.Exchange?
    ) async throws -> HTTPResponse
}

extension ExchangeLayer {
    package var interceptors: [any RequestInterceptor] { [] }

    package func answering(by rest: @escaping InterceptorChain.Exchange) -> (any ExchangeAnswering)? { nil }

    package func receive(_ headers: HTTPHeaders, from url: URL) {}
}
