#if canImport(Security)
import Security
private func seededMistake(_ item: Any) -> SecIdentity? { item as? SecIdentity }
#endif
