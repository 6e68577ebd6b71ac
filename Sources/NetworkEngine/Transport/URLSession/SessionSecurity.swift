#if !canImport(Security)
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Refuses every policy but the standard one, because the platform offers no way to apply others.
///
/// The system's bundle decides about certificates below URLSession, and the delegate is not called.
struct SessionSecurity: Sendable {
    init(tls: TLSPolicy, proxy: ProxyPolicy) throws(NetworkError) {
        guard let option = tls.unsupportedOption ?? (proxy == .environment ? nil : "a proxy policy") else { return }
        throw NetworkError(
            kind: .unsupported, reason: "URLSession on Linux has no way to obey \(option); use CurlTransport")
    }

    /// Applies the policy to a configuration.
    func prepare(_ configuration: URLSessionConfiguration) {}

    /// Only servers that request a credential get here.
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
#endif
