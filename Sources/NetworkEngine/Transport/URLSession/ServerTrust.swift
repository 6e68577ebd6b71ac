#if canImport(Security)
import Foundation
import Security

/// Evaluates servers' certificates by a policy.
struct ServerTrust: Sendable {
    private let policy: TLSPolicy
    /// The certificates of authorities in DER form. Those of the system have none here.
    private let certificates: [TLSPolicy.Authorities: [Data]]

    init(_ policy: TLSPolicy) {
        self.policy = policy
        var certificates: [TLSPolicy.Authorities: [Data]] = [:]
        for authorities in [policy.authorities] + policy.hostAuthorities.values {
            switch authorities {
            case .system: break
            case .pem(let text): certificates[authorities] = text.certificatesInPEM
            case .file(let url): certificates[authorities] = (try? Data(contentsOf: url))?.certificatesInPEM ?? []
            }
        }
        self.certificates = certificates
    }

    func answer(_ trust: SecTrust, host: String) -> ChallengeAnswer {
        let pins = policy.pins(for: host)
        let authorities = certificates[policy.authorities(for: host)]
        if authorities == nil, pins.isEmpty, policy.hostVerification == .full { return .asTheSystemDoes }
        if let problem = problem(with: trust, authorities) { return .refusing(problem) }
        if !pins.isEmpty {
            guard let own = chain(of: trust).first, pins.contains(where: { $0.matches(certificate: own) }) else {
                return .refusing(.pinMismatch)
            }
        }
        return .using(URLCredential(trust: trust))
    }

    /// - Parameter authorities: the only ones that may have signed; `nil` for those of the system.
    private func problem(with trust: SecTrust, _ authorities: [Data]?) -> TransportFailure.CertificateProblem? {
        if policy.hostVerification == .dangerouslyDisabled {
            SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, nil))
        }
        if let authorities {
            let anchors = authorities.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
            SecTrustSetAnchorCertificates(trust, anchors as CFArray)
            SecTrustSetAnchorCertificatesOnly(trust, true)
        }
        var error: CFError?
        guard !SecTrustEvaluateWithError(trust, &error) else { return nil }
        return switch error.map(CFErrorGetCode).map(OSStatus.init(truncatingIfNeeded:)) {
        case errSecCertificateExpired: .expired
        case errSecCertificateNotValidYet: .notYetValid
        case errSecHostNameMismatch: .wrongHost
        case errSecNotTrusted, errSecCreateChainFailed: isSelfSigned(trust) ? .selfSigned : .untrusted
        default: .unknown
        }
    }

    private func isSelfSigned(_ trust: SecTrust) -> Bool {
        let chain = chain(of: trust)
        return chain.count == 1 && chain.first.flatMap(CertificateFields.init(der:))?.isSelfIssued == true
    }

    /// The certificates, the server's own first.
    private func chain(of trust: SecTrust) -> [Data] {
        let certificates = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
        return certificates.map { SecCertificateCopyData($0) as Data }
    }
}
#endif
