#if canImport(FoundationNetworking)
import FoundationNetworking
import Foundation
#else
import Foundation
#endif

extension Error {
    /// The error without secrets in the addresses of its `userInfo`.
    ///
    /// A `URLError` contains and prints the whole address. Its type, domain and code stay.
    func withoutSecretAddresses(hiding secrets: RequestSecrets?) -> any Error {
        if let error = self as? URLError {
            let info = (error as NSError).userInfo
            return info.isEmpty ? error : URLError(error.code, userInfo: info.withoutSecretAddresses(hiding: secrets))
        }
        guard type(of: self) == NSError.self else { return self }
        let error = self as NSError
        return error.userInfo.isEmpty
            ? error
            : NSError(
                domain: error.domain, code: error.code, userInfo: error.userInfo.withoutSecretAddresses(hiding: secrets)
            )
    }
}

extension [String: Any] {
    fileprivate func withoutSecretAddresses(hiding secrets: RequestSecrets?) -> [String: Any] {
        mapValues { value in
            switch value {
            case let url as URL where url.isFileURL: url
            case let url as URL: URL(string: url.shown(hiding: secrets)) as Any? ?? Redaction.placeholder
            case let text as String: Redaction.describe(text: text, hiding: secrets)
            case let error as any Error: error.withoutSecretAddresses(hiding: secrets)
            case let errors as [any Error]: errors.map { $0.withoutSecretAddresses(hiding: secrets) }
            default: value
            }
        }
    }
}

extension URL {
    /// The address for display, with placeholders that are legal in an address.
    fileprivate func shown(hiding secrets: RequestSecrets?) -> String {
        Redaction.describe(self, hiding: secrets)
            .replacing(Redaction.placeholder, with: Redaction.placeholderInAddress)
    }
}
