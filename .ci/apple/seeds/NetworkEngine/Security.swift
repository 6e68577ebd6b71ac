#if canImport(Security)
import Security
func seededMistake(_ trust: SecTrust) -> Bool { SecTrustEvaluateWithEror(trust, nil) }
#endif
