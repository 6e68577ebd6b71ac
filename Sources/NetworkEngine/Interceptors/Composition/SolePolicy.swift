/// An interceptor of whose kind a list has only one.
package protocol SolePolicy: RequestInterceptor {}

extension RetryPolicy: SolePolicy {}
extension OfflinePolicy: SolePolicy {}
extension DefaultInterceptor: SolePolicy {}
extension TokenRefresher: SolePolicy {}
extension Deduplication: SolePolicy {}
extension Hedging: SolePolicy {}
extension CircuitBreaker: SolePolicy {}

extension RequestInterceptor {
    /// The name of the interceptor's type; of a generic one without what it is generic over.
    package var kindName: String { String(describing: type(of: self)).prefix { $0 != "<" }.description }
}

extension Array where Element == any RequestInterceptor {
    /// These, and inside of them the others; of a kind that there is only one of, the other one in the same place.
    package func containing(_ others: [any RequestInterceptor]) -> [any RequestInterceptor] {
        others.reduce(into: self) { list, other in
            let place =
                other is any SolePolicy
                ? list.firstIndex { $0 is any SolePolicy && $0.kindName == other.kindName } : nil
            if let place { list[place] = other } else { list.append(other) }
        }
    }
}
