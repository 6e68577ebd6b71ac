package import Foundation

/// A part of a configuration that takes part in exchanges, such as a cookie jar or a cache.
package protocol ExchangeLayer: Sendable {
    /// The interceptors that act on each exchange, after those of the client.
    var interceptors: [any RequestInterceptor] { get }
    /// Returns the step that can answer a request in place of the rest of its way; `nil` if there is none.
    func answering(before rest: @escaping InterceptorChain.Exchange) -> InterceptorChain.Exchange?
    /// Takes what a response says that no chain has passed on: one of a transfer in the background.
    func receive(_ headers: HTTPHeaders, from url: URL)
}

extension ExchangeLayer {
    package var interceptors: [any RequestInterceptor] { [] }

    package func answering(before rest: @escaping InterceptorChain.Exchange) -> InterceptorChain.Exchange? { nil }

    package func receive(_ headers: HTTPHeaders, from url: URL) {}
}
