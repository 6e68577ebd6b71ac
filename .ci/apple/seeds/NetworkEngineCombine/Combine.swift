#if canImport(Combine)
import Combine
func seededMistake(_ publisher: AnyPublisher<Int, Never>) { publisher.synk { _ in } }
#endif
