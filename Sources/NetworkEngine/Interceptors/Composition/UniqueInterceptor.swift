/// An interceptor of whose kind a list has only one.
package protocol UniqueInterceptor: RequestInterceptor {}

extension RetryPolicy: UniqueInterceptor {}
extension OfflinePolicy: UniqueInterceptor {}
extension DefaultInterceptor: UniqueInterceptor {}
extension TokenRefresher: UniqueInterceptor {}
extension Deduplication: UniqueInterceptor {}
extension Hedging: UniqueInterceptor {}
extension CircuitBreaker: UniqueInterceptor {}

extension RequestInterceptor {
    /// The name of the interceptor's type; of a generic one without what it is generic over.
    package var kindName: String { String(describing: type(of: self)).prefix { $0 != "<" }.description }
}

extension Array where Element == any RequestInterceptor {
    /// These, and inside of them the others; of a kind that there is only one of, the other one in the same place.
    package func containing(_ others: [any RequestInterceptor]) -> [any RequestInterceptor] {
        others.reduce(into: self) { list, other in
            let place =
                other is any UniqueInterceptor
                ? list.firstIndex { $0 is any UniqueInterceptor && $0.kindName == other.kindName } : nil
            if let place { list[place] = other } else { list.append(other) }
        }
    }
}
