package import NetworkEngine
import NetworkEngineDigest

/// The server's side of Digest authentication: issues nonces, and checks responses and the use of their nonces.
package final class DigestAuthority: Sendable {
    package struct Options: Sendable {
        package var algorithm: String? = "MD5"
        package var qop: String? = "auth"
        /// Additional parameters for a challenge, such as `userhash=true`.
        package var parameters = ""
        /// The number of requests that a nonce is valid for.
        package var usesPerNonce = Int.max
        /// Whether all clients get the same nonce.
        package var sharesNonce = false
        package var sendsNextNonce = false
        /// Whether a successful response proves that the server has the password.
        package var proves = false
        package var provesWrongly = false

        package init() {}
    }

    private struct State {
        var nonces = 0
        var uses: [String: Int] = [:]
        var seen: Set<String> = []
        var findings = Findings()
    }

    /// The actions of clients so far.
    package struct Findings: Sendable {
        package var challenges = 0
        package var accepted = 0
        package var rejected = 0
        package var stale = 0
        /// Responses with a nonce and a count that were used before.
        package var duplicates = 0
        package var answers: [[String: String]] = []
    }

    private let realm: String
    private let username: String
    private let password: String
    private let options: Options
    private let state = Locked(State())

    package init(
        realm: String = "things", username: String = "ada", password: String = "pa ss", _ options: Options = Options()
    ) {
        self.realm = realm
        self.username = username
        self.password = password
        self.options = options
    }

    package var findings: Findings { state.withLock { $0.findings } }

    /// Accepts or rejects a request.
    ///
    /// - Returns: 200 or 401, and the fields of the response.
    package func decide(
        method: HTTPMethod,
        target: String,
        authorization: String?,
        bodyDigest: String = ""
    ) -> (status: Int, headers: HTTPHeaders) {
        state.withLock { state in
            guard let authorization, authorization.hasPrefix("Digest ") else {
                state.findings.challenges += 1
                return challenge(&state)
            }
            let answer = Self.parameters(of: authorization)
            state.findings.answers.append(answer)
            let nonce = answer["nonce"] ?? ""
            guard let uses = state.uses[nonce], answer["uri"] == target,
                answer["response"] == response(to: answer, method.rawValue + ":" + target, bodyDigest)
            else {
                state.findings.rejected += 1
                return challenge(&state)
            }
            if options.qop != nil, !state.seen.insert("\(nonce) \(answer["nc"] ?? "")").inserted {
                state.findings.duplicates += 1
            }
            guard uses < options.usesPerNonce else {
                state.findings.stale += 1
                return challenge(&state, isStale: true)
            }
            state.uses[nonce] = uses + 1
            state.findings.accepted += 1
            return (200, info(for: answer, &state))
        }
    }

    private func challenge(_ state: inout State, isStale: Bool = false) -> (status: Int, headers: HTTPHeaders) {
        var text = "Digest realm=\"\(realm)\", nonce=\"\(nonce(&state))\", opaque=\"o\\\"p\""
        if let algorithm = options.algorithm { text += ", algorithm=\(algorithm)" }
        if let qop = options.qop { text += ", qop=\"\(qop)\"" }
        if isStale { text += ", stale=TRUE" }
        if !options.parameters.isEmpty { text += ", " + options.parameters }
        return (401, ["WWW-Authenticate": text])
    }

    private func nonce(_ state: inout State) -> String {
        if !options.sharesNonce || state.nonces == 0 { state.nonces += 1 }
        let nonce = "n\(state.nonces)="
        state.uses[nonce] = state.uses[nonce] ?? 0
        return nonce
    }

    private func info(for answer: [String: String], _ state: inout State) -> HTTPHeaders {
        var parts: [String] = []
        if options.sendsNextNonce { parts.append("nextnonce=\"\(nonce(&state))\"") }
        if options.proves { parts.append("rspauth=\"\(response(to: answer, ":" + (answer["uri"] ?? ""), ""))\"") }
        if options.provesWrongly { parts.append("rspauth=\"00\"") }
        return parts.isEmpty ? [:] : ["Authentication-Info": parts.joined(separator: ", ")]
    }

    private func response(to answer: [String: String], _ message: String, _ bodyDigest: String) -> String {
        var key = hash("\(username):\(realm):\(password)")
        let (nonce, clientNonce) = (answer["nonce"] ?? "", answer["cnonce"] ?? "")
        if options.algorithm?.hasSuffix("-sess") == true { key = hash("\(key):\(nonce):\(clientNonce)") }
        let message = hash(answer["qop"] == "auth-int" ? "\(message):\(bodyDigest)" : message)
        guard let qop = answer["qop"], let count = answer["nc"] else { return hash("\(key):\(nonce):\(message)") }
        return hash("\(key):\(nonce):\(count):\(clientNonce):\(qop):\(message)")
    }

    /// The digest of a text with this server's algorithm.
    package func hash(_ text: String) -> String {
        switch options.algorithm {
        case "SHA-256", "SHA-256-sess": SHA256.hexadecimal(of: text)
        case "SHA-512-256", "SHA-512-256-sess": SHA512Half.hexadecimal(of: text)
        default: MD5.hexadecimal(of: text)
        }
    }

    /// The parameters of a response. No value in these tests contains a comma and a space.
    private static func parameters(of authorization: String) -> [String: String] {
        authorization.dropFirst(7).split(separator: ", ").reduce(into: [:]) { result, part in
            let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
            guard pair.count == 2 else { return }
            result[pair[0]] = pair[1].hasPrefix("\"") ? String(pair[1].dropFirst().dropLast()) : pair[1]
        }
    }
}
