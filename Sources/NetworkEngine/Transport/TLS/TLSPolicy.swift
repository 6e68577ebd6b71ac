public import Foundation

/// Whom a transport trusts, and as whom it shows itself.
///
/// ```swift
/// var tls = TLSPolicy()
/// tls.authorities = .file(URL(fileURLWithPath: "/etc/company/authorities.pem"))
/// tls.pins = ["*.example.com": [.publicKey("sha256//r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=")]]
/// let transport = URLSessionTransport(tls: tls)
/// ```
/// What a transport cannot do of it makes every send fail before I/O with `.unsupported`, never with less safety than was
/// asked for: on Linux that is everything but `standard` for `URLSessionTransport`; use `CurlTransport` there.
public struct TLSPolicy: Hashable, Sendable {
    /// What is used where nothing else is asked for: the system's authorities, no pins, TLS 1.2 or later.
    ///
    /// `URLSessionTransport` on Linux cannot ask for a version. OpenSSL's configuration decides there, and that of most
    /// systems demands 1.2.
    public static let standard = TLSPolicy()

    /// Who may have signed a server's certificate.
    public var authorities = Authorities.system

    /// What the certificate of a host must have besides a good signature; any one of a host's pins is enough.
    ///
    /// The keys are host names, without scheme and port. `bücher.example` and `xn--bcher-kva.example` are the same host.
    /// `*.example.com` stands for every name with one label more, and counts where the full name is not listed. Only the
    /// server's own certificate is compared, not those that signed it.
    ///
    /// To change a server's key, list the old pin and the new one, wait until every client has both, change the key, and
    /// remove the old pin in a later version. A client with no pin but a lost one cannot be helped: list a reserve key.
    public var pins: [String: [Pin]] = [:]

    /// Identifies the client to servers on the hosts of `clientCertificateHosts`.
    public var clientCertificate: ClientCertificate?

    /// The hosts that `clientCertificate` is shown to: names, or patterns such as `*.example.com`.
    ///
    /// When this is empty, the certificate is shown to the origin of the target's base or of the prepared request, and not to
    /// other origins that a redirect or an absolute path leads to.
    public var clientCertificateHosts: Set<String> = []

    /// The oldest version of the protocol that is spoken.
    ///
    /// `CurlTransport` and Apple platforms ask for it. `URLSessionTransport` on Linux has no way to: with `v1_2` it speaks
    /// what OpenSSL's configuration allows, which can be older, and with `v1_3` every send fails with `.unsupported`.
    public var minimumVersion = TLSVersion.v1_2

    /// Whether the certificate must be for the host that was asked for.
    public var hostVerification = HostVerification.full

    public init() {}

    /// Who may have signed a server's certificate.
    public enum Authorities: Hashable, Sendable {
        /// Those that the system trusts.
        case system
        /// Those in a file of PEM blocks, and nobody else.
        case file(URL)
        /// Those in PEM blocks, and nobody else.
        case pem(Data)
    }

    /// Whether the certificate must be for the host that was asked for.
    public enum HostVerification: String, Hashable, Sendable {
        case full
        /// A trusted certificate for any host will do: whoever has one can read and change everything.
        case dangerouslyDisabled
    }
}

/// A version of TLS.
public enum TLSVersion: String, Hashable, Sendable, Comparable, CaseIterable {
    case v1_2 = "1.2"
    case v1_3 = "1.3"

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
