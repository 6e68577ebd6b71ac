/// A credential that can be used as it is until its time comes.
///
/// Of no particular type: code that is generic over one, in a module of its own, costs a request more than all else that is
/// done for it here.
struct ReadyCredential: Sendable {
    let version: Int
    /// When there is something to decide again; `nil` when only an event can bring that.
    let expiry: Duration?
    /// The request with the credential in it; `nil` when its author has set one.
    let put: @Sendable (HTTPRequest) -> HTTPRequest?

    init<Token: Credential>(_ token: Token, _ version: Int, until expiry: Duration? = nil) {
        self.version = version
        self.expiry = expiry
        put = { request in
            guard !token.isSetByHand(in: request) else { return nil }
            var request = request
            token.apply(to: &request)
            return request
        }
    }

    init?<Token: Credential>(_ ready: (token: Token, version: Int, expiry: Duration?)?) {
        guard let ready else { return nil }
        self.init(ready.token, ready.version, until: ready.expiry)
    }
}
