#if canImport(Security)
import Security
private func seededMistake(_ query: [String: Any]) -> OSStatus { SecItemDelete(query) }
#endif
