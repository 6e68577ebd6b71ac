extension Redaction {
    /// Whether a header contains a server's authentication challenges.
    package static func isChallenge(header name: String) -> Bool {
        name.equalsIgnoringASCIICase("WWW-Authenticate") || name.equalsIgnoringASCIICase("Proxy-Authenticate")
    }

    /// The challenges in a header for display.
    ///
    /// The parameters of the schemes Basic, Digest, Bearer and DPoP are public, except those with secret names. Tokens,
    /// the parameters of other schemes and anything malformed are redacted.
    ///
    /// - Parameter describe: returns a public value for display.
    package static func describe(challenges field: String, _ describe: (String) -> String) -> String {
        var writer = ChallengeWriter(field)
        return writer.text(describe)
    }
}

/// Copies the challenges of a header (RFC 9110, 11.3) without secrets.
private struct ChallengeWriter {
    private var rest: ArraySlice<UInt8>
    private var output: [UInt8] = []
    /// Whether the parameters of the scheme are public; `nil` before the first one.
    private var isPublic: Bool?

    init(_ field: String) { rest = Array(field.utf8)[...] }

    mutating func text(_ describe: (String) -> String) -> String {
        while true {
            copy(rest.prefix { $0 == UInt8(ascii: ",") || $0.isBlank })
            if rest.isEmpty { break }
            guard item(describe) else {
                // Anything may follow.
                output += Redaction.placeholder.utf8
                break
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Copies a scheme with its token or parameters, or a parameter; `false` if it is unknown or malformed.
    private mutating func item(_ describe: (String) -> String) -> Bool {
        var next = rest
        let name = next.removeToken()
        next.removeBlanks()
        let isParameter = next.first == UInt8(ascii: "=")
        return (isParameter ? parameter(describe) : scheme(name, describe)) && isAtEnd(rest.startIndex)
    }

    /// Whether nothing or the next item follows.
    private func isAtEnd(_ index: Int) -> Bool {
        let following = rest[index...].first { !$0.isBlank }
        return following == nil || following == UInt8(ascii: ",")
    }

    private mutating func scheme(_ name: String, _ describe: (String) -> String) -> Bool {
        guard let isPublic = Self.schemes[name.lowercased()] else { return false }
        self.isPublic = isPublic
        copy(rest.prefix(name.utf8.count))
        if isAtEnd(rest.startIndex) { return true }
        let blanks = rest.prefix(while: \.isBlank)
        if blanks.isEmpty { return false }
        copy(blanks)
        let text = rest.prefix { ASCIISet.unreserved.contains($0) || "+/".utf8.contains($0) }
        let token = text.isEmpty ? text : rest.prefixOfToken(text.endIndex)
        guard !token.isEmpty, isAtEnd(token.endIndex) else { return isPublic && parameter(describe) }
        output += Redaction.placeholder.utf8
        rest = rest[token.endIndex...]
        return true
    }

    private mutating func parameter(_ describe: (String) -> String) -> Bool {
        var next = rest
        let name = next.removeToken()
        next.removeBlanks()
        guard isPublic == true, !name.isEmpty, !OpaqueText.isToken(name), next.popFirst() == UInt8(ascii: "=") else {
            return false
        }
        next.removeBlanks()
        let start = next.startIndex
        if next.first == UInt8(ascii: "\"") {
            guard next.removeQuotedString().isClosed else { return false }
        } else if next.removeToken().isEmpty {
            return false
        }
        copy(rest[..<start])
        let value = rest[..<next.startIndex]
        if Redaction.isSecret(parameter: name) {
            output += "\"\(Redaction.placeholder)\"".utf8
        } else if Self.opaque.contains(name.lowercased()) {
            output += value
        } else {
            output += describe(String(decoding: value, as: UTF8.self)).utf8
        }
        rest = rest[next.startIndex...]
        return true
    }

    private mutating func copy(_ bytes: ArraySlice<UInt8>) {
        output += bytes
        rest = rest[bytes.endIndex...]
    }

    /// The known schemes, and whether their parameters are public.
    private static let schemes = [
        "basic": true, "bearer": true, "digest": true, "dpop": true, "concealed": false, "gnap": false, "hoba": false,
        "kerberos": false, "mutual": false, "negotiate": false, "ntlm": false, "oauth": false, "privatetoken": false,
        "scram-sha-1": false, "scram-sha-256": false, "vapid": false,
    ]
    /// Values that a client returns unchanged. They can have any form.
    private static let opaque: Set<String> = ["nonce", "opaque"]
}

extension ArraySlice<UInt8> {
    /// The text up to an index, including the equals signs after it.
    fileprivate func prefixOfToken(_ end: Int) -> ArraySlice<UInt8> {
        self[..<self[end...].prefix { $0 == UInt8(ascii: "=") }.endIndex]
    }
}
