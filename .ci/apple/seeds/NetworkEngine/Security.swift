#if canImport(Security)
import Security
private func seededMistake(_ trust: SecTrust) -> Bool { SecTrustEvaluateWithEror(trust, nil) }
#endif
