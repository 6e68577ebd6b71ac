#if canImport(Security)
import Foundation
import Security
private func seededMistake(_ data: Data) -> SecCertificate? { SecCertificateCreateWithData(nil, data as NSData) }
#endif
