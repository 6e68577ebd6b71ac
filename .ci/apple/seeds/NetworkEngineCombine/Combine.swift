#if canImport(Combine)
import Combine
private func seededMistake(_ publisher: AnyPublisher<Int, Never>) { publisher.synk { _ in } }
#endif
