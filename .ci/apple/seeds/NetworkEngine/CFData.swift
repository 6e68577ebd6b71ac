#if canImport(Security)
import Foundation
import Security
private func seededMistake(_ certificate: SecCertificate) -> Data { SecCertificateCopyData(certificate) }
#endif
