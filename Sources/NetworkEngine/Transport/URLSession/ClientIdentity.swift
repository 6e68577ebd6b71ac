#if canImport(Security)
import Foundation
import Security

/// A client certificate and its key from the system.
struct ClientIdentity: Sendable {
    /// The credential, which is Sendable on every platform, unlike the identity in it.
    let credential: URLCredential

    init(_ certificate: ClientCertificate) throws(NetworkError) {
        guard case .pkcs12(let url, let password) = certificate else {
            throw NetworkError(
                kind: .unsupported,
                reason: "URLSession takes a client certificate as a PKCS#12 file, not as PEM files"
            )
        }
        guard let data = try? Data(contentsOf: url) else { throw Self.unusable(url, "it cannot be read") }
        let options = [kSecImportExportPassphrase as String: password ?? ""]
        var items: CFArray?
        let status = SecPKCS12Import(data as CFData, options as CFDictionary, &items)
        guard status == errSecSuccess else {
            throw Self.unusable(url, status == errSecAuthFailed ? "the password is wrong" : "status \(status)")
        }
        guard let item = (items as? [[String: Any]])?.first, let found = item[kSecImportItemIdentity as String] else {
            throw Self.unusable(url, "it has no certificate with a key")
        }
        guard CFGetTypeID(found as CFTypeRef) == SecIdentityGetTypeID() else { throw Self.unusable(url, "no identity") }
        // A conditional cast to a Core Foundation type does not compile. The type identifier was checked instead.
        let identity = found as! SecIdentity
        let chain = item[kSecImportItemCertChain as String] as? [SecCertificate] ?? []
        credential = URLCredential(identity: identity, certificates: Array(chain.dropFirst()), persistence: .forSession)
    }

    private static func unusable(_ url: URL, _ why: String) -> NetworkError {
        NetworkError(kind: .invalidRequest, reason: "the client certificate \(url.path) cannot be used: \(why)")
    }
}
#endif
