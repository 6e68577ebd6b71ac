/// An interceptor of whose kind a list has only one.
package protocol SolePolicy: RequestInterceptor {}

extension RetryPolicy: SolePolicy {}
extension OfflinePolicy: SolePolicy {}
extension DefaultInterceptor: SolePolicy {}

extension Array where Element == any RequestInterceptor {
    /// These, and inside of them the others; of a kind that there is only one of, the other one in the same place.
    package func containing(_ others: [any RequestInterceptor]) -> [any RequestInterceptor] {
        others.reduce(into: self) { list, other in
            let place = other is any SolePolicy ? list.firstIndex { type(of: $0) == type(of: other) } : nil
            if let place { list[place] = other } else { list.append(other) }
        }
    }
}
