import NetworkEngine

/// A Digest challenge that can be answered (RFC 7616, 3.3).
struct DigestChallenge: Hashable, Sendable {
    /// What the answer protects.
    enum Protection: String, Hashable, Sendable {
        /// The method and the URL.
        case auth
        /// The method, the URL and the body.
        case authInt = "auth-int"
    }

    let realm: String
    var nonce: String
    let opaque: String?
    let algorithm: DigestAlgorithm
    /// The protection of answers; `nil` for servers that support only RFC 2069.
    let protection: Protection?
    /// Whether the credentials were right and only the nonce is stale.
    let isStale: Bool
    let hashesUsername: Bool
    let isUTF8: Bool
    /// The URLs that accept the same credentials, separated by spaces.
    let domain: String?

    /// Returns `nil` for another scheme, for an unknown algorithm or protection, and without a realm or a nonce.
    init?(_ challenge: AuthenticationChallenge) {
        guard challenge.scheme == "digest", let realm = challenge["realm"], let nonce = challenge["nonce"],
            let algorithm = DigestAlgorithm(challenge["algorithm"])
        else { return nil }
        let offers = challenge["qop"]?.split { $0 == "," || $0 == " " || $0 == "\t" }.map { $0.lowercased() } ?? []
        // A body can be large, and over `https` its digest adds nothing.
        protection = offers.contains("auth") ? .auth : offers.contains("auth-int") ? .authInt : nil
        guard protection != nil || offers.isEmpty else { return nil }
        self.realm = realm
        self.nonce = nonce
        self.algorithm = algorithm
        opaque = challenge["opaque"]
        isStale = challenge.isTrue("stale")
        hashesUsername = challenge.isTrue("userhash")
        isUTF8 = challenge["charset"]?.lowercased() == "utf-8"
        domain = challenge["domain"]
    }

    /// The challenge with the strongest algorithm in a response; the first of several.
    static func strongest(in headers: HTTPHeaders) -> DigestChallenge? {
        let challenges = AuthenticationChallenge.challenges(in: headers.values(for: "WWW-Authenticate"))
            .compactMap(DigestChallenge.init)
        guard let strength = challenges.map(\.algorithm.hash.strength).max() else { return nil }
        return challenges.first { $0.algorithm.hash.strength == strength }
    }
}

extension AuthenticationChallenge {
    fileprivate func isTrue(_ name: String) -> Bool { self[name]?.lowercased() == "true" }
}

/// The algorithm of a Digest challenge.
struct DigestAlgorithm: Hashable, Sendable {
    enum Hash: String, Hashable, Sendable, CaseIterable {
        case md5 = "MD5"
        case sha256 = "SHA-256"
        case sha512Half = "SHA-512-256"

        fileprivate var strength: Int {
            switch self {
            case .md5: 0
            case .sha256: 1
            case .sha512Half: 2
            }
        }

        var type: any MessageDigest.Type {
            switch self {
            case .md5: MD5.self
            case .sha256: SHA256.self
            case .sha512Half: SHA512Half.self
            }
        }
    }

    let hash: Hash
    /// Whether the secret depends on the first nonce of a session.
    let isSession: Bool
    /// The name in the challenge; `nil` if the challenge has none, which means MD5.
    let name: String?

    /// Returns `nil` for an unknown algorithm.
    init?(_ name: String?) {
        self.name = name
        let plain = (name ?? "MD5").uppercased()
        isSession = plain.hasSuffix("-SESS")
        guard let hash = Hash(rawValue: isSession ? String(plain.dropLast(5)) : plain) else { return nil }
        self.hash = hash
    }

    /// The hash of parts separated by colons.
    func digest(_ parts: String...) -> String { hash.type.hexadecimal(of: parts.joined(separator: ":")) }
}
