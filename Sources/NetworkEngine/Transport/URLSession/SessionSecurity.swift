#if !canImport(Security)
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a session can do for a policy where the platform offers nothing: refuse all but the standard one.
///
/// Certificates are judged below URLSession, by the system's bundle, and nobody is asked (`linux.md` 7).
struct SessionSecurity: Sendable {
    init(tls: TLSPolicy, proxy: ProxyPolicy) throws(NetworkError) {
        guard let wish = tls.unsupportedOption ?? (proxy == .environment ? nil : "a proxy policy") else { return }
        throw NetworkError(
            kind: .unsupported, reason: "URLSession on Linux has no way to obey \(wish); use CurlTransport")
    }

    /// Makes a configuration obey.
    func prepare(_ configuration: URLSessionConfiguration) {}

    /// Only servers that want a user ask here.
    func answer(_ challenge: URLAuthenticationChallenge, isForeign: Bool) -> ChallengeAnswer { .withoutCredential }
}

extension TLSPolicy {
    /// What is asked for beyond the standard.
    fileprivate var unsupportedOption: String? {
        if authorities != .system { return "TLSPolicy.authorities" }
        if !pins.isEmpty { return "TLSPolicy.pins" }
        if clientCertificate != nil { return "TLSPolicy.clientCertificate" }
        if minimumVersion != .v1_2 { return "TLSPolicy.minimumVersion" }
        if hostVerification != .full { return "TLSPolicy.hostVerification" }
        return nil
    }
}
#endif
