#if canImport(Combine)
import Combine
// A subscriber may not be carried into a task: it belongs to whoever subscribed.
private func seededMistake<S: Subscriber<Int, Never>>(_ subscriber: S) { Task { subscriber.receive(completion: .finished) } }
#endif
