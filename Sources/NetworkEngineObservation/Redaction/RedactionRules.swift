import NetworkEngine

/// Which names are secret in a message.
package struct RedactionRules: Sendable {
    /// Additional names of secret headers, in lowercase.
    var headers: Set<String>
    /// Additional names of secret query items, fields and JSON members, in lowercase.
    var parameters: Set<String>
    /// Names that are not secret, although they look secret or are unknown, in lowercase.
    var harmless: Set<String>
    /// The secrets of the recorded request.
    var secrets: RequestSecrets?

    package init(headers: Set<String> = [], parameters: Set<String> = [], harmless: Set<String> = []) {
        self.headers = Set(headers.map { $0.lowercased() })
        self.parameters = Set(parameters.map { $0.lowercased() })
        self.harmless = Set(harmless.map { $0.lowercased() })
    }

    func isSecret(header name: String) -> Bool {
        let name = name.lowercased()
        if headers.contains(name) || secrets?.names(name) == true { return true }
        return !harmless.contains(name) && (Redaction.isSecret(header: name) || secrets?.hides(header: name) == true)
    }

    /// Whether a header is shown unchanged.
    func isHarmless(header name: String) -> Bool { harmless.contains(name.lowercased()) }

    func isSecret(parameter name: String) -> Bool {
        isNamed(name) || (!harmless.contains(name.lowercased()) && Redaction.isSecret(parameter: name))
    }

    /// Whether a query item is secret: by its name, or because an interceptor added a credential there.
    func isSecret(item name: String) -> Bool {
        isSecret(parameter: name) || secrets?.credentials.contains { $0.place == .query(name) } == true
    }

    /// Whether a member with this name is secret if its value looks like a token. Other objects also have members named
    /// `access` or `refresh`.
    func mayHoldToken(_ name: String) -> Bool {
        let name = name.lowercased()
        return !harmless.contains(name) && (name == "access" || name == "refresh")
    }

    /// For response members and columns, where `code` and `key` are usually harmless.
    func isSecretInAnswer(_ name: String) -> Bool {
        isNamed(name) || (!Self.harmlessInAnswers.contains(name.lowercased()) && isSecret(parameter: name))
    }

    /// Whether a member that is an object or array is secret. The contents of a `ticket` are not.
    func isSecretInside(_ name: String) -> Bool {
        isNamed(name) || (name.lowercased() != "ticket" && isSecret(parameter: name))
    }

    /// Whether a query item's value can be shown.
    func isHarmless(item name: String) -> Bool {
        harmless.contains(name.lowercased()) || Redaction.isHarmless(parameter: name)
    }

    private func isNamed(_ name: String) -> Bool {
        parameters.contains(name.lowercased()) || secrets?.names(name) == true
    }

    private static let harmlessInAnswers: Set<String> = ["code", "key"]
}
