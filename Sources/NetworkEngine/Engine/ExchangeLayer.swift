package import Foundation

/// A part of a configuration that participates in exchanges, such as a cookie jar or a cache.
package protocol ExchangeLayer: Sendable {
    /// The interceptors to run on each exchange, after the client's own.
    var interceptors: [any RequestInterceptor] { get }
    /// Returns a step that can answer a request instead of the rest of its path; `nil` if there is none.
    func answering(before rest: @escaping InterceptorChain.Exchange) -> InterceptorChain.Exchange?
    /// Processes a response that passed no chain, such as that from a background transfer.
    func receive(_ headers: HTTPHeaders, from url: URL)
}

extension ExchangeLayer {
    package var interceptors: [any RequestInterceptor] { [] }

    package func answering(before rest: @escaping InterceptorChain.Exchange) -> InterceptorChain.Exchange? { nil }

    package func receive(_ headers: HTTPHeaders, from url: URL) {}
}

/// What other products add to a configuration: at most one value of each type, in the order they were set.
package struct ConfigurationParts: Sendable {
    private var parts: [any Sendable] = []

    /// The value of a type. Setting `nil` removes it.
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

    /// The parts that participate in exchanges.
    package var layers: [any ExchangeLayer] { parts.compactMap { $0 as? any ExchangeLayer } }
}
