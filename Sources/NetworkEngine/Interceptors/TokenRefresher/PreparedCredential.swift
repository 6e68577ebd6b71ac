/// A credential that requests use without a decision until it expires.
///
/// The type is not generic: generic code in another module would cost more than all other work for a request here.
struct PreparedCredential: Sendable {
    let version: Int
    /// The time of the next decision; `nil` if only an event can change the credential.
    let expiry: Duration?
    /// Returns the request with the credential; `nil` if its author has set one.
    let apply: @Sendable (HTTPRequest, RequestContext) -> HTTPRequest?

    /// - Parameter first: the first credential of the same user, which identifies the user; `nil` for this one.
    init<Token: Credential>(_ token: Token, _ version: Int, until expiry: Duration? = nil, since first: Token? = nil) {
        self.version = version
        self.expiry = expiry
        let last = Locked<AddedFields?>(nil)
        apply = { request, context in
            guard !token.isSetByHand(in: context.withoutCommonHeaders(request)) else { return nil }
            var signed = request
            token.apply(to: &signed)
            if let secrets = last.withLock({ $0 })?.secrets(of: signed, since: request) {
                signed.secrets = secrets
                return signed
            }
            signed = signed.marking(credentialSince: request)
            if let first, first != token || token.user != nil {
                signed = signed.marking(user: token.user, of: first, since: request)
            }
            let added = AddedFields(in: signed, since: request)
            last.withLock { $0 = added }
            return signed
        }
    }

    init?<Token: Credential>(_ ready: (token: Token, version: Int, expiry: Duration?)?, since first: Token?) {
        guard let ready else { return nil }
        self.init(ready.token, ready.version, until: ready.expiry, since: first)
    }
}

/// The header fields that a credential added to a request, marked as secrets. Most requests get the same ones.
private struct AddedFields: Sendable {
    private let fields: [HTTPHeaders.Field]
    private let secretsBefore: RequestSecrets?
    private let secrets: RequestSecrets?

    /// - Returns: `nil` if the credential did more than add header fields.
    init?(in signed: HTTPRequest, since request: HTTPRequest) {
        guard let fields = signed.fieldsAdded(since: request), !fields.isEmpty else { return nil }
        self.fields = fields
        secretsBefore = request.secrets
        secrets = signed.secrets
    }

    func secrets(of signed: HTTPRequest, since request: HTTPRequest) -> RequestSecrets? {
        request.secrets === secretsBefore && signed.adds(fields, since: request) ? secrets : nil
    }
}

extension HTTPRequest {
    /// Returns the request with what its credential says about the user: the name, or else the value that the first
    /// credential of the same session places.
    fileprivate func marking(user: String?, of first: some Credential, since request: HTTPRequest) -> HTTPRequest {
        var original = request
        first.apply(to: &original)
        let identities = (fieldsAdded(since: request) ?? []).map { field in
            let place = user.map { "user:\($0)" } ?? original.headers[field.name] ?? ""
            return RequestSecrets.Identity(header: field.name, value: field.value, identity: place)
        }
        var marked = self
        marked.secrets = (secrets ?? RequestSecrets()).adding(identities: identities)
        return marked
    }

    fileprivate func adds(_ fields: [HTTPHeaders.Field], since before: HTTPRequest) -> Bool {
        guard headers.count == before.headers.count + fields.count, hasAddressAndBody(of: before) else { return false }
        return headers.starts(with: before.headers) && headers.dropFirst(before.headers.count).elementsEqual(fields)
    }

    fileprivate func fieldsAdded(since before: HTTPRequest) -> [HTTPHeaders.Field]? {
        guard hasAddressAndBody(of: before), headers.starts(with: before.headers) else { return nil }
        return Array(headers.dropFirst(before.headers.count))
    }
}
