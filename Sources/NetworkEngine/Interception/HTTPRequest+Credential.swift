extension HTTPRequest {
    /// Sets a field that identifies the sender, for example in an interceptor.
    ///
    /// ```swift
    /// func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
    ///     var request = request
    ///     request.setCredential(sign(request), for: "X-Signature", identity: user)
    ///     return request
    /// }
    /// ```
    /// A redirect to another origin does not send the field. Its value does not appear in descriptions, errors and
    /// recordings. A cache does not serve the response to other senders.
    ///
    /// - Parameter identity: the sender, if the value changes between requests by the same sender; by default the value
    ///   itself.
    public mutating func setCredential(_ value: String, for name: String, identity: String? = nil) {
        let before = self
        headers[name] = value
        self = marking(credentialSince: before)
        if let identity { self = marking(identity: "sender:" + identity, of: name) }
    }

    /// Returns the request with a stable identity of the sender for a field with a changing value.
    package func marking(identity: String, of name: String) -> HTTPRequest {
        guard let value = headers[name] else { return self }
        var request = self
        request.secrets = (secrets ?? RequestSecrets()).adding(
            identities: [.init(header: name, value: value, identity: identity)])
        return request
    }
}
