import Foundation
import NetworkEngine

/// The answer to a Digest challenge for one request (RFC 7616, 3.4).
struct DigestAnswer: Sendable {
    private let challenge: DigestChallenge
    private let account: Account
    private let uri: String
    private let clientNonce: String
    /// The number of requests with the nonce, as eight hexadecimal digits.
    private let count: String
    /// The hash of user name, realm and password; in a session, also of the first nonces.
    private let secret: String
    /// The hash of the protected parts of the request.
    private let message: String

    /// - Parameters:
    ///   - session: the nonces of the session's first request, for algorithms with sessions.
    ///   - count: the number of requests with this nonce, including this one.
    ///   - bodyDigest: the body digest, for `auth-int`.
    init(
        to challenge: DigestChallenge,
        as account: Account,
        session: DigestSession,
        method: String,
        uri: String,
        count: UInt32,
        clientNonce: String,
        bodyDigest: String? = nil
    ) {
        let algorithm = challenge.algorithm
        let key = algorithm.digest(account.username, challenge.realm, account.password)
        secret = algorithm.isSession ? algorithm.digest(key, session.nonce, session.clientNonce) : key
        message = bodyDigest.map { algorithm.digest(method, uri, $0) } ?? algorithm.digest(method, uri)
        let digits = String(count, radix: 16)
        self.count = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
        self.challenge = challenge
        self.account = account
        self.uri = uri
        self.clientNonce = clientNonce
    }

    private func response(to message: String) -> String {
        guard let protection = challenge.protection?.rawValue else {
            return challenge.algorithm.digest(secret, challenge.nonce, message)
        }
        return challenge.algorithm.digest(secret, challenge.nonce, count, clientNonce, protection, message)
    }

    /// The `Authorization` value. Some values must be quoted, and others must not.
    var header: String {
        let algorithm = challenge.algorithm
        var parts = ["realm=\(challenge.realm.quoted)", "uri=\(uri.quoted)"]
        if challenge.hashesUsername {
            parts.insert("username=\"\(algorithm.digest(account.username, challenge.realm))\"", at: 0)
        } else {
            parts.insert(account.parameter(isUTF8: challenge.isUTF8), at: 0)
        }
        if let name = algorithm.name { parts.append("algorithm=\(name)") }
        parts.append("nonce=\(challenge.nonce.quoted)")
        if let protection = challenge.protection {
            parts += ["nc=\(count)", "cnonce=\(clientNonce.quoted)", "qop=\(protection.rawValue)"]
        } else if algorithm.isSession {
            parts.append("cnonce=\(clientNonce.quoted)")
        }
        parts.append("response=\"\(response(to: message))\"")
        if let opaque = challenge.opaque { parts.append("opaque=\(opaque.quoted)") }
        if challenge.hashesUsername { parts.append("userhash=true") }
        return "Digest " + parts.joined(separator: ", ")
    }

    /// The proof that the server has the password, `rspauth`; `nil` if it depends on the response body.
    var serverProof: String? {
        challenge.protection == .authInt ? nil : response(to: challenge.algorithm.digest("", uri))
    }
}

/// The nonces of the first request after a challenge.
struct DigestSession: Hashable, Sendable {
    let nonce: String
    let clientNonce: String

    init(nonce: String, clientNonce: String) {
        self.nonce = nonce
        self.clientNonce = clientNonce
    }
}

extension Account {
    fileprivate func parameter(isUTF8: Bool) -> String {
        guard isUTF8, !username.utf8.allSatisfy({ $0 < 0x80 }) else { return "username=\(username.quoted)" }
        var bytes: [UInt8] = []
        bytes.append(percentEncoding: username.utf8, keeping: .unreserved)
        return "username*=UTF-8''" + String(decoding: bytes, as: UTF8.self)
    }
}

extension String {
    /// The text as a quoted string (RFC 9110, 5.6.4).
    fileprivate var quoted: String {
        var bytes = [UInt8(ascii: "\"")]
        for byte in utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        return String(decoding: bytes + [UInt8(ascii: "\"")], as: UTF8.self)
    }
}

extension HTTPRequest {
    /// The path and query as sent.
    var requestTarget: String {
        let address = AddressText(url.absoluteString.withoutDotSegments)
        return (address.path.isEmpty ? "/" : address.path) + (address.query.map { "?" + $0 } ?? "")
    }
}
