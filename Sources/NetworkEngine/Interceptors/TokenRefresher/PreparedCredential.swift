import Foundation

/// A credential that requests use without further decisions until it expires.
///
/// The type is not generic, because generic code in another module would cost more than all other work for a request
/// here.
struct PreparedCredential: Sendable {
    let version: Int
    /// The time of the next decision; `nil` if only an event can change the credential.
    let expiry: Duration?
    /// Returns the request with the credential; `nil` if the caller has set one.
    let apply: @Sendable (HTTPRequest, RequestContext) -> HTTPRequest?

    /// - Parameter start: the start of the session, which identifies the user; `nil` for a credential that never
    ///   changes.
    init<Token: Credential>(
        _ token: Token, _ version: Int, until expiry: Duration? = nil, since start: SessionStart<Token>? = nil
    ) {
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
            if let start, start.token != token || token.user != nil {
                signed = signed.marking(user: token.user, of: start, since: request)
            }
            let added = AddedFields(in: signed, since: request)
            last.withLock { $0 = added }
            return signed
        }
    }

    init?<Token: Credential>(
        _ ready: (token: Token, version: Int, expiry: Duration?)?, since start: SessionStart<Token>?
    ) {
        guard let ready else { return nil }
        self.init(ready.token, ready.version, until: ready.expiry, since: start)
    }
}

/// The start of a user's session.
struct SessionStart<Token: Credential>: Sendable {
    /// The first credential. It identifies the user while it is in use, but not later credentials: sessions may start
    /// with the same placeholder.
    let token: Token
    /// Identifies the user of the refreshed credentials.
    let name = UUID().uuidString
}

/// The header fields that a credential added to a request, marked as secrets. They are the same for most requests.
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
    /// Returns the request with its user's identity: the user's text, or else the session.
    fileprivate func marking<Token>(user: String?, of start: SessionStart<Token>, since request: HTTPRequest)
        -> HTTPRequest
    {
        var original = request
        start.token.apply(to: &original)
        let identities = (fieldsAdded(since: request) ?? []).map { field in
            RequestSecrets.Identity(
                header: field.name, value: field.value, identity: user.map { "user:\($0)" } ?? "session:\(start.name)",
                earlier: user == nil ? original.headers[field.name] : nil)
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
