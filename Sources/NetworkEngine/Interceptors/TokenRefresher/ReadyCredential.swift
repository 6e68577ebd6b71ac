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
        let last = Locked<Placed?>(nil)
        put = { request in
            guard !token.isSetByHand(in: request) else { return nil }
            var signed = request
            token.apply(to: &signed)
            if let marks = last.withLock({ $0 })?.marks(of: signed, since: request) {
                signed.marks = marks
                return signed
            }
            signed = signed.marking(credentialSince: request)
            let placed = Placed(in: signed, since: request)
            last.withLock { $0 = placed }
            return signed
        }
    }

    init?<Token: Credential>(_ ready: (token: Token, version: Int, expiry: Duration?)?) {
        guard let ready else { return nil }
        self.init(ready.token, ready.version, until: ready.expiry)
    }
}

/// The fields that a credential placed in a request, with the marks for them. Most requests get the same ones.
private struct Placed: Sendable {
    private let fields: [HTTPHeaders.Field]
    private let marksBefore: RequestMarks?
    private let marks: RequestMarks?

    /// - Returns: `nil` when the credential did more than to add header fields.
    init?(in signed: HTTPRequest, since request: HTTPRequest) {
        guard let fields = signed.fieldsAdded(since: request), !fields.isEmpty else { return nil }
        self.fields = fields
        marksBefore = request.marks
        marks = signed.marks
    }

    func marks(of signed: HTTPRequest, since request: HTTPRequest) -> RequestMarks? {
        request.marks === marksBefore && signed.adds(fields, since: request) ? marks : nil
    }
}

extension HTTPRequest {
    fileprivate func adds(_ fields: [HTTPHeaders.Field], since before: HTTPRequest) -> Bool {
        guard headers.count == before.headers.count + fields.count, hasAddressAndBody(of: before) else { return false }
        return headers.starts(with: before.headers) && headers.dropFirst(before.headers.count).elementsEqual(fields)
    }

    fileprivate func fieldsAdded(since before: HTTPRequest) -> [HTTPHeaders.Field]? {
        guard hasAddressAndBody(of: before), headers.starts(with: before.headers) else { return nil }
        return Array(headers.dropFirst(before.headers.count))
    }
}
