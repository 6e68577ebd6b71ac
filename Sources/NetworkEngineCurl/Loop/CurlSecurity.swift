import CLibcurl
import Foundation
import NetworkEngine

/// A TLS policy as libcurl options.
struct CurlSecurity: Sendable {
    private let policy: TLSPolicy

    init(_ policy: TLSPolicy, _ library: CurlLibrary) throws(NetworkError) {
        self.policy = policy
        let areInMemory = ([policy.authorities] + policy.hostAuthorities.values).contains {
            if case .pem = $0 { true } else { false }
        }
        if areInMemory, !library.takesAuthoritiesInMemory {
            throw .unsupported(
                "TLSPolicy: authorities in memory need libcurl 7.77 or newer, and this is \(library.version)")
        }
        let pins = policy.pins.values.joined()
        if pins.contains(where: \.isOfCertificate), !library.announcesRequests {
            throw .unsupported(
                "TLSPolicy: a pin for a certificate needs libcurl 7.80 or newer, and this is \(library.version)")
        }
    }

    /// - Parameter isForeign: whether the request has left its call's origin.
    func apply(with options: inout CurlOptionSetter, host: String, isForeign: Bool) {
        options.set(LC_OPT_SSL_VERIFYPEER, 1)
        options.set(LC_OPT_SSL_VERIFYHOST, policy.hostVerification == .full ? 2 : 0)
        options.set(LC_OPT_SSLVERSION, policy.minimumVersion == .v1_3 ? LC_TLS_1_3 : LC_TLS_1_2)
        apply(policy.authorities(for: host), with: &options, LC_OPT_CAINFO, LC_OPT_CAINFO_BLOB, LC_OPT_CAPATH)
        if policy.showsClientCertificate(to: host, isForeign: isForeign) {
            apply(policy.clientCertificate, with: &options)
        }
        applyPins(for: host, with: &options)
    }

    /// Sets the options for the connection to a proxy. Its name is always verified.
    func applyToProxy(_ host: String, with options: inout CurlOptionSetter) {
        options.set(LC_OPT_PROXY_SSLVERSION, policy.minimumVersion == .v1_3 ? LC_TLS_1_3 : LC_TLS_1_2)
        apply(
            policy.authorities(for: host), with: &options,
            LC_OPT_PROXY_CAINFO, LC_OPT_PROXY_CAINFO_BLOB, LC_OPT_PROXY_CAPATH)
    }

    private func apply(
        _ authorities: TLSPolicy.Authorities,
        with options: inout CurlOptionSetter,
        _ file: Int, _ text: Int, _ folder: Int
    ) {
        switch authorities {
        case .system: return
        case .file(let url): options.set(file, url.path)
        case .pem(let authorities): options.set(text, authorities)
        }
        // Otherwise the folder with the system's CA certificates is used in addition.
        options.set(folder, nil)
    }

    private func apply(_ certificate: ClientCertificate?, with options: inout CurlOptionSetter) {
        switch certificate {
        case nil: return
        case .pem(let certificate, let key, _):
            options.set(LC_OPT_SSLCERT, certificate.path)
            options.set(LC_OPT_SSLKEY, key.path)
            // Without a password OpenSSL would prompt for one in the terminal.
            options.set(LC_OPT_KEYPASSWD, "")
        case .pkcs12(let file, _):
            options.set(LC_OPT_SSLCERT, file.path)
            options.set(LC_OPT_SSLCERTTYPE, "P12")
        }
        if let password = certificate?.password { options.set(LC_OPT_KEYPASSWD, password) }
    }

    /// One host for each part of the policy: hosts with specific CA certificates, with the client certificate, and all
    /// others.
    var hostsToRehearse: [String] {
        let named = policy.clientCertificateHosts.min().map { $0.hasPrefix("*.") ? "a" + $0.dropFirst() : $0 }
        let own = policy.hostAuthorities.keys.sorted().map { $0.hasPrefix("*.") ? "a" + $0.dropFirst() : $0 }
        return ["localhost"] + (named.map { [$0] } ?? []) + own
    }

    /// OpenSSL's number for the fault in a server's or proxy's certificate; 0 if there is none.
    static func certificateFault(of easy: OpaquePointer) -> Int {
        let fault = lc_number(easy, Int32(LC_INFO_SSL_VERIFYRESULT))
        return fault == 0 ? lc_number(easy, Int32(LC_INFO_PROXY_SSL_VERIFYRESULT)) : fault
    }

    // MARK: Pins

    /// All pins of a host, if it has a pin that libcurl cannot compare itself; otherwise empty.
    func certificatePins(for host: String) -> [TLSPolicy.Pin] {
        let pins = policy.pins(for: host)
        return pins.contains(where: \.isOfCertificate) ? pins : []
    }

    private func applyPins(for host: String, with options: inout CurlOptionSetter) {
        let pins = policy.pins(for: host)
        if pins.isEmpty { return }
        // A resumed TLS session has no certificate chain to compare.
        options.set(LC_OPT_SSL_SESSIONID_CACHE, 0)
        guard certificatePins(for: host).isEmpty else {
            options.set(LC_OPT_CERTINFO, 1)
            options.set(LC_OPT_FRESH_CONNECT, 1)
            return options.set(LC_OPT_FORBID_REUSE, 1)
        }
        options.set(LC_OPT_PINNEDPUBLICKEY, pins.map(\.text).joined(separator: ";"))
    }

    /// Whether the certificate of the connected server matches one of the pins.
    func serverCertificate(of easy: OpaquePointer, hasOneOf pins: [TLSPolicy.Pin]) -> Bool {
        guard let text = lc_server_certificate(easy) else { return false }
        guard let certificate = Data(String(cString: text).utf8).certificatesInPEM.first else { return false }
        return pins.contains { $0.matches(certificate: certificate) }
    }
}

extension TLSPolicy.Pin {
    fileprivate var isOfCertificate: Bool { if case .certificate = self { true } else { false } }

    /// The pin in libcurl's notation.
    fileprivate var text: String {
        switch self {
        case .publicKey(let text): text
        case .certificate: ""
        }
    }
}
