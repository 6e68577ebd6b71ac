extension Redaction {
    /// Whether a header has the challenges of a server, which say how to authenticate.
    package static func isChallenge(header name: String) -> Bool {
        name.equalsIgnoringASCIICase("WWW-Authenticate") || name.equalsIgnoringASCIICase("Proxy-Authenticate")
    }

    /// The challenges in a header for display.
    ///
    /// The parameters of the schemes Basic, Digest, Bearer and DPoP are public, apart from those with secret names.
    /// Tokens and the parameters of other schemes are hidden.
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
                // It is unknown what follows a malformed challenge.
                output += Redaction.placeholder.utf8
                break
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Copies a scheme with its token, or a parameter; `false` if it is malformed.
    private mutating func item(_ describe: (String) -> String) -> Bool {
        var next = rest
        let name = next.removeToken()
        if name.isEmpty { return false }
        next.removeBlanks()
        guard next.first == UInt8(ascii: "=") else { return scheme(name) }
        return parameter(name, before: next.startIndex, describe)
    }

    private mutating func scheme(_ name: String) -> Bool {
        isPublic = Self.publicSchemes.contains(name.lowercased())
        if isPublic == false, OpaqueText.isToken(name) { return false }
        copy(rest.prefix(name.utf8.count))
        let blanks = rest.prefix(while: \.isBlank)
        let text = rest[blanks.endIndex...].prefix { ASCIISet.unreserved.contains($0) || "+/".utf8.contains($0) }
        let token = text.isEmpty ? text : rest[text.startIndex...].prefixOfToken(text.endIndex)
        let following = rest[token.endIndex...].first { !$0.isBlank }
        guard !token.isEmpty, following == nil || following == UInt8(ascii: ",") else { return true }
        copy(blanks)
        output += Redaction.placeholder.utf8
        rest = rest[token.endIndex...]
        return true
    }

    private mutating func parameter(_ name: String, before equals: Int, _ describe: (String) -> String) -> Bool {
        guard let isPublic else { return false }
        var next = rest[(equals + 1)...]
        next.removeBlanks()
        let start = next.startIndex
        let isQuoted = next.first == UInt8(ascii: "\"")
        if isQuoted {
            guard next.removeQuotedString().isClosed else { return false }
        } else {
            _ = next.removeToken()
        }
        copy(rest[..<start])
        let value = rest[..<next.startIndex]
        if !isPublic || Redaction.isSecret(parameter: name) {
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

    private static let publicSchemes: Set<String> = ["basic", "digest", "bearer", "dpop"]
    /// Values that a client returns as they are. They have any form.
    private static let opaque: Set<String> = ["nonce", "opaque"]
}

extension ArraySlice<UInt8> {
    /// The text up to an index, with the equals signs that follow it.
    fileprivate func prefixOfToken(_ end: Int) -> ArraySlice<UInt8> {
        self[..<self[end...].prefix { $0 == UInt8(ascii: "=") }.endIndex]
    }
}
