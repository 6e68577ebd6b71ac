#if canImport(Combine)
import Combine
// A subscriber must not be sent to a task: it belongs to the code that subscribed.
private func seededMistake<S: Subscriber<Int, Never>>(_ subscriber: S) { Task { subscriber.receive(completion: .finished) } }
#endif
