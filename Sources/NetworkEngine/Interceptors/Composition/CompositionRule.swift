/// What a list of interceptors must not have.
package struct CompositionRule: Sendable {
    /// What is wrong with a list, in words; `nil` when nothing is.
    package let fault: @Sendable ([any RequestInterceptor]) -> String?

    package func fault(in list: [any RequestInterceptor]) -> String? { fault(list) }

    /// Every rule there is.
    package static let all: [CompositionRule] = [
        .never(Hedging.self, with: RetryPolicy.self, "a call with both makes twice as many requests: take one of them"),
        .never(Hedging.self, with: DefaultInterceptor.self, "it has a RetryPolicy inside: take one of them"),
        .never(DefaultInterceptor.self, with: RetryPolicy.self, "it has one inside: give it yours as `retry:`"),
        CompositionRule { list in
            guard list.contains(where: { $0 is DefaultInterceptor }),
                list.contains(where: { $0 is any RenewingInterceptor })
            else { return nil }
            return "DefaultInterceptor and TokenRefresher stand in one list: both renew after a 401: take one of them"
        },
        CompositionRule { list in
            let kinds = list.filter { $0 is any UniqueInterceptor }.map(\.kindName)
            let double = kinds.enumerated().first { kinds.prefix($0.offset).contains($0.element) }?.element
            return double.map { "\($0) stands in the list more than once: take one of them" }
        },
        .order(RetryPolicy.self, CircuitBreaker.self, "outside of a retry it would count calls, not attempts"),
        .order(DefaultInterceptor.self, CircuitBreaker.self, "outside of a retry it would count calls, not attempts"),
        .order(OfflinePolicy.self, RetryPolicy.self, "the retries would be used up before there is a network"),
        .order(IdempotencyKey.self, Hedging.self, "without the key it does not know what may be sent twice"),
    ]

    private static func never<First, Second>(
        _ first: First.Type,
        with second: Second.Type,
        _ reason: String
    ) -> CompositionRule {
        CompositionRule { list in
            guard list.contains(where: { $0 is First }), list.contains(where: { $0 is Second }) else { return nil }
            return "\(first) and \(second) stand in one list: \(reason)"
        }
    }

    private static func order<First, Second>(
        _ first: First.Type,
        _ second: Second.Type,
        _ reason: String
    ) -> CompositionRule {
        CompositionRule { list in
            guard let inner = list.firstIndex(where: { $0 is Second }),
                let outer = list.lastIndex(where: { $0 is First }),
                inner < outer
            else { return nil }
            return "\(second) stands before \(first): \(reason); put it behind"
        }
    }
}

/// An interceptor that renews what servers reject.
package protocol RenewingInterceptor: RequestInterceptor {}

extension TokenRefresher: RenewingInterceptor {}
