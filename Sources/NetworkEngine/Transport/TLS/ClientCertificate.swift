public import Foundation

/// The certificate that identifies a client to servers. Its description does not show the password.
///
/// ```swift
/// var tls = TLSPolicy()
/// tls.clientCertificate = .pkcs12(URL(fileURLWithPath: "/run/secrets/client.p12"), password: "…")
/// ```
public enum ClientCertificate: Hashable, Sendable {
    /// A certificate and its key, each a PEM file. The certificate's file may also contain the intermediate
    /// certificates.
    case pem(certificate: URL, key: URL, password: String? = nil)
    /// Certificate and key in one file. On Apple this is the only form that works.
    case pkcs12(URL, password: String? = nil)

    /// The files that must exist.
    package var files: [URL] {
        switch self {
        case .pem(let certificate, let key, _): [certificate, key]
        case .pkcs12(let file, _): [file]
        }
    }

    package var password: String? {
        switch self {
        case .pem(_, _, let password), .pkcs12(_, let password): password
        }
    }
}

extension ClientCertificate: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        let names = files.map(\.path).joined(separator: ", ")
        return password == nil ? "\(names)" : "\(names), password \(Redaction.placeholder)"
    }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: ["certificate": description], displayStyle: .enum) }
}
