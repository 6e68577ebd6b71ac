#if !canImport(Security)
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Rejects every policy except the standard one, because the platform offers no way to apply others.
///
/// The system's CA bundle decides about certificates below URLSession, and the delegate is not called.
struct SessionSecurity: Sendable {
    init(tls: TLSPolicy, proxy: ProxyPolicy) throws(NetworkError) {
        guard let option = tls.unsupportedOption ?? (proxy == .environment ? nil : "a proxy policy") else { return }
        throw NetworkError(
            kind: .unsupported, reason: "URLSession on Linux has no way to obey \(option); use CurlTransport")
    }

    /// Applies the policy to a configuration.
    func prepare(_ configuration: URLSessionConfiguration) {}

    /// Only called if a server requests a credential.
    func answer(_ challenge: URLAuthenticationChallenge, isForeign: Bool) -> ChallengeAnswer { .withoutCredential }
}

extension TLSPolicy {
    /// The option that the platform does not support.
    fileprivate var unsupportedOption: String? {
        if authorities != .system { return "TLSPolicy.authorities" }
        if !hostAuthorities.isEmpty { return "TLSPolicy.hostAuthorities" }
        if !pins.isEmpty { return "TLSPolicy.pins" }
        if clientCertificate != nil { return "TLSPolicy.clientCertificate" }
        if minimumVersion != .v1_2 { return "TLSPolicy.minimumVersion" }
        if hostVerification != .full { return "TLSPolicy.hostVerification" }
        return nil
    }
}
#else
package import Foundation
import Network
import Security

/// Applies a policy through the Security framework.
package struct SessionSecurity: Sendable {
    private let proxy: ProxyPolicy
    private let tls: TLSPolicy
    private let trust: ServerTrust
    private let identity: ClientIdentity?
    private let minimumVersion: TLSVersion

    package init(tls: TLSPolicy, proxy: ProxyPolicy) throws(NetworkError) {
        try tls.validate()
        try proxy.validate()
        if let fault = proxy.systemSessionFault { throw .unsupported("ProxyPolicy: \(fault)") }
        self.proxy = proxy
        self.tls = tls
        trust = ServerTrust(tls)
        identity = try tls.clientCertificate.map { certificate throws(NetworkError) in try ClientIdentity(certificate) }
        minimumVersion = tls.minimumVersion
    }

    /// Applies the policy to a configuration. A configuration that requires TLS 1.3 still does.
    package func prepare(_ configuration: URLSessionConfiguration) {
        if configuration.tlsMinimumSupportedProtocolVersion != .TLSv13 {
            configuration.tlsMinimumSupportedProtocolVersion =
                switch minimumVersion {
                case .v1_2: .TLSv12
                case .v1_3: .TLSv13
                }
        }
        guard let settings = proxy.settings else { return }
        configuration.connectionProxyDictionary = settings
        // These would be used instead.
        if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) { configuration.proxyConfigurations = [] }
    }

    /// Answers on the session's delegate queue. An evaluation can take as long as the system needs to fetch a missing
    /// certificate. Only policies other than the standard one have this cost.
    ///
    /// - Parameter isForeign: whether the request has left its call's origin.
    package func answer(_ challenge: URLAuthenticationChallenge, isForeign: Bool) -> ChallengeAnswer {
        let space = challenge.protectionSpace
        switch space.authenticationMethod {
        case NSURLAuthenticationMethodServerTrust:
            return space.serverTrust.map { trust.answer($0, host: space.host) } ?? .asTheSystemDoes
        case NSURLAuthenticationMethodClientCertificate:
            guard tls.showsClientCertificate(to: space.host, isForeign: isForeign) else { return .asTheSystemDoes }
            return identity.map { .using($0.credential) } ?? .asTheSystemDoes
        default:
            guard space.isProxy(), challenge.previousFailureCount == 0, let credential = proxy.credential else {
                return .withoutCredential
            }
            return .using(credential)
        }
    }
}

extension ProxyPolicy {
    /// The settings for `connectionProxyDictionary`, which has constants for its keys only on macOS.
    fileprivate var settings: [AnyHashable: Any]? {
        switch self {
        case .environment: return nil
        case .direct: return ["HTTPEnable": 0, "HTTPSEnable": 0, "SOCKSEnable": 0, "ProxyAutoConfigEnable": 0]
        case .url(let url, _):
            let isSOCKS = url.scheme?.lowercased().hasPrefix("socks") == true
            let port = url.port ?? (isSOCKS ? 1080 : 3128)
            var settings: [AnyHashable: Any] = [:]
            for kind in isSOCKS ? ["SOCKS"] : ["HTTP", "HTTPS"] {
                settings[kind + "Enable"] = 1
                settings[kind + "Proxy"] = url.host ?? ""
                settings[kind + "Port"] = port
            }
            return settings
        }
    }

    fileprivate var credential: URLCredential? {
        guard case .url(_, let credentials?) = self else { return nil }
        return URLCredential(user: credentials.user, password: credentials.password, persistence: .forSession)
    }
}
#endif
