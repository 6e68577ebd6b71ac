public import Foundation

/// Server trust and client identity.
///
/// ```swift
/// var tls = TLSPolicy()
/// tls.authorities = .file(URL(fileURLWithPath: "/etc/company/authorities.pem"))
/// tls.pins = ["*.example.com": [.publicKey("sha256//r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=")]]
/// let transport = URLSessionTransport(tls: tls)
/// ```
/// If a transport does not support a policy, every send fails before any I/O with `.unsupported`, never with less
/// security than requested. On Linux `URLSessionTransport` supports only `standard`; use `CurlTransport` there.
public struct TLSPolicy: Hashable, Sendable {
    /// The default: the system's CAs, no pins, TLS 1.2 or later.
    ///
    /// `URLSessionTransport` on Linux cannot request a version. The OpenSSL configuration decides there, and most
    /// systems require 1.2.
    public static let standard = TLSPolicy()

    /// The CAs that may sign the certificate of a server or, with `CurlTransport`, of an HTTPS proxy.
    public var authorities = Authorities.system

    /// The CAs of individual hosts, which replace `authorities`: a way to pin a CA.
    ///
    /// ```swift
    /// tls.hostAuthorities = ["*.intern.example.com": .file(companyAuthorities), "api.example.com": .pem(letsEncrypt)]
    /// ```
    /// No other CA may sign such a host's certificates, and these CAs are not trusted for any other host. The keys are
    /// the same as in `pins`. On Apple platforms, if the system reaches a host over another host's HTTP/2 connection,
    /// the other host's trust applies.
    public var hostAuthorities: [String: Authorities] = [:]

    /// The hosts' pins. A pinned host's certificate must match any one of its pins, in addition to a valid signature.
    ///
    /// The keys are host names, without scheme and port. `bücher.example` and `xn--bcher-kva.example` are the same
    /// host. `*.example.com` matches every name with one more label, and applies if the full name is not listed. Only
    /// the server's own certificate is compared, not its issuers.
    ///
    /// To change a server's key, list the old pin and the new one, wait until every client has both, change the key,
    /// and remove the old pin in a later version. A client with a single pin cannot connect once that key is lost, so
    /// list a backup key.
    public var pins: [String: [Pin]] = [:]

    /// Identifies the client to servers on the hosts in `clientCertificateHosts`.
    public var clientCertificate: ClientCertificate?

    /// The hosts that receive `clientCertificate`: names, or patterns such as `*.example.com`.
    ///
    /// If this is empty, the certificate is sent to the origin of the target's base URL or of the prepared request, and
    /// not to other origins that a redirect or an absolute path leads to.
    public var clientCertificateHosts: Set<String> = []

    /// The minimum TLS version.
    ///
    /// `CurlTransport` and Apple platforms request it. `URLSessionTransport` on Linux cannot: with `v1_2` it uses the
    /// versions that the OpenSSL configuration allows, which can be older, and with `v1_3` every send fails with
    /// `.unsupported`.
    public var minimumVersion = TLSVersion.v1_2

    /// Whether the certificate must be valid for the requested host.
    public var hostVerification = HostVerification.full

    /// Creates the default policy: the system's CAs, no pins, TLS 1.2 or later.
    public init() {}

    /// The CAs that may sign a server's certificate.
    public enum Authorities: Hashable, Sendable {
        /// The CAs that the system trusts.
        case system
        /// Only the CAs in a file of PEM blocks.
        case file(URL)
        /// Only the CAs in PEM blocks.
        case pem(Data)
    }

    /// Whether the certificate must be valid for the requested host.
    public enum HostVerification: String, Hashable, Sendable {
        /// Only a certificate that is valid for the requested host is accepted.
        case full
        /// A trusted certificate for any host is accepted. Its owner can read and change everything.
        case dangerouslyDisabled
    }
}

/// A version of TLS.
public enum TLSVersion: String, Hashable, Sendable, Comparable, CaseIterable {
    /// TLS 1.2 (RFC 5246).
    case v1_2 = "1.2"
    /// TLS 1.3 (RFC 8446).
    case v1_3 = "1.3"

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The certificate that identifies a client to servers. Its description does not contain the password.
///
/// ```swift
/// var tls = TLSPolicy()
/// tls.clientCertificate = .pkcs12(URL(fileURLWithPath: "/run/secrets/client.p12"), password: "…")
/// ```
public enum ClientCertificate: Hashable, Sendable {
    /// A certificate and its key, each in a PEM file. The certificate file may also contain the intermediate
    /// certificates.
    case pem(certificate: URL, key: URL, password: String? = nil)
    /// Certificate and key in one file. This is the only form supported on Apple platforms. They are kept in memory;
    /// before macOS 15 the system adds both to the user's default keychain.
    case pkcs12(URL, password: String? = nil)

    /// The files that must exist.
    var files: [URL] {
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
