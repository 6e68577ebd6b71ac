#if canImport(Security)
import Security
private func seededMistake() -> [String: Any] { [kSecReturnData: true] }
#endif
