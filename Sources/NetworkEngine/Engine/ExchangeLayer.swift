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

/// What other products add to a configuration: at most one value of each type, in the order in which they were set.
package struct ConfigurationParts: Sendable {
    private var parts: [any Sendable] = []

    /// The value of a type; `nil` removes it.
    package subscript<Part: Sendable>(type: Part.Type) -> Part? {
        get {
            for case let part as Part in parts { return part }
            return nil
        }
        set {
            let index = parts.firstIndex { $0 is Part }
            switch (index, newValue) {
            case (let index?, let part?): parts[index] = part
            case (let index?, nil): parts.remove(at: index)
            case (nil, let part?): parts.append(part)
            case (nil, nil): break
            }
        }
    }

    /// The parts that take part in exchanges.
    package var layers: [any ExchangeLayer] { parts.compactMap { $0 as? any ExchangeLayer } }
}
