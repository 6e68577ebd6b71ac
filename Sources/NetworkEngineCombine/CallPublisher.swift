#if canImport(Combine)
import Combine

/// Starts one call for each subscription, on its first demand. Canceling the subscription cancels the call.
struct CallPublisher<Output: Sendable, Failure: Error>: Publisher {
    private let call: DeferredCall<Output, Failure>.Call
    private let onUnclaimed: (@Sendable (Output) -> Void)?

    init(
        _ call: @escaping DeferredCall<Output, Failure>.Call,
        onUnclaimed: (@Sendable (Output) -> Void)? = nil
    ) {
        self.call = call
        self.onUnclaimed = onUnclaimed
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let call = DeferredCall(call, onUnclaimed: onUnclaimed) { outcome in
            switch outcome {
            case .success(let value):
                _ = subscriber.receive(value)
                subscriber.receive(completion: .finished)
            case .failure(let error): subscriber.receive(completion: .failure(error))
            }
        }
        subscriber.receive(subscription: CallSubscription(call: call))
    }
}

private final class CallSubscription<Output: Sendable, Failure: Error>: Subscription {
    private let call: DeferredCall<Output, Failure>

    init(call: DeferredCall<Output, Failure>) { self.call = call }

    func request(_ demand: Subscribers.Demand) {
        if demand > 0 { call.start() }
    }

    func cancel() { call.cancel() }
}
#endif
