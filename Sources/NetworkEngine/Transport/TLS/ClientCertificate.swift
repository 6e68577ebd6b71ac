public import Foundation

/// What a client shows to servers that ask who is calling. Its description does not show the password.
///
/// ```swift
/// var tls = TLSPolicy()
/// tls.clientCertificate = .pkcs12(URL(fileURLWithPath: "/run/secrets/client.p12"), password: "…")
/// ```
public enum ClientCertificate: Hashable, Sendable {
    /// A certificate, with those that signed it behind it if the server needs them, and its key, each a file in PEM form.
    case pem(certificate: URL, key: URL, password: String? = nil)
    /// Certificate and key in one file. On Apple this is the only form that works.
    case pkcs12(URL, password: String? = nil)

    /// The files that must be there.
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
