public import Foundation
public import NetworkEngine

/// Answers the Digest challenges from certain origins with a user name and a password (RFC 7616).
///
/// ```swift
/// let digest = DigestAuth(username: "ada", password: password, origins: [api])
/// let client = HTTPClient(baseURL: api, interceptors: [RetryPolicy(), digest])
/// ```
/// The first request to a server is sent without an answer. The server rejects it with a challenge, and the request is
/// repeated with the answer, even if the configuration allows only one attempt. Later requests use the known challenge
/// and are sent only once. Copies share the challenges.
///
/// A wrong password costs one repetition; then the 401 is returned. A challenge that only reports a stale nonce does
/// not count as a wrong password, and is answered at most twice per call. A challenge is answered whatever statuses the
/// call accepts.
///
/// MD5, SHA-256 and SHA-512-256 are supported, with and without sessions, and the strongest algorithm that the server
/// offers is used. If the server offers `auth` and `auth-int`, `auth` is used. Proxy challenges are not answered.
///
/// A body that can be read only once needs a known challenge: without one the call fails before I/O with an
/// `.authentication` error, unless the target's `authorization` is `.optional`. It cannot be sent with `auth-int`.
///
/// An existing `Authorization` in the request is not changed. A target with the `authorization` `.anonymous` is sent
/// without an answer. Each redirect is answered separately: other origins do not receive an answer. Descriptions,
/// errors and recordings contain neither the answers nor the password.
///
/// Each answer is different, so `Deduplication` does not share the exchanges.
public struct DigestAuth: ExchangeInterceptor, CredentialInterceptor {
    /// Whether a response fails if the server's proof of having the password (`rspauth`) is wrong.
    public var checksServer = true
    private let account: Account
    /// Selects the user's stored responses. The name alone would match any password.
    private let identity: String
    private let scope: CredentialScope
    private let clientNonce: @Sendable () -> String
    private let spaces: Locked<DigestSpaces>
    /// The identity that all copies share.
    private let owner = Owner()

    private final class Owner: Sendable {}

    /// - Parameter origins: the origins that receive answers; if empty, the origin of the target's or client's
    ///   `baseURL`.
    public init(username: String, password: String, origins: [URL] = []) {
        self.init(username: username, password: password, origins: origins) {
            let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
            return bytes.hexadecimal
        }
    }

    /// - Parameter clientNonce: returns an unpredictable text for each request.
    init(
        username: String,
        password: String,
        origins: [URL] = [],
        spaces: DigestSpaces = DigestSpaces(),
        clientNonce: @escaping @Sendable () -> String
    ) {
        let account = Account(username: username, password: password)
        let name = account.username
        identity = "digest:" + SHA256.hexadecimal(of: "\(name.utf8.count):\(name)\(account.password)")
        self.account = account
        scope = CredentialScope(origins)
        self.spaces = Locked(spaces)
        self.clientNonce = clientNonce
    }

    /// The origins that receive answers; if empty, the origin of the target's or client's `baseURL`.
    public var origins: [URL] { scope.origins }

    public var stage: InterceptorStage { .signing }

    public var mayWait: Bool { false }
    package var credentialPlace: String? { TokenSource.Location.header("Authorization").place }
    package var credentialOrigins: [URL] { origins }
    package var credentialFault: String? { account.fault.map { "DigestAuth: \($0)" } }

    /// The number of protection spaces with a known challenge.
    var spaceCount: Int { spaces.withLock { $0.count } }

    public func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        let own = context.withoutCommonHeaders(request).headers
        guard scope.contains(request, context), !own.contains("Authorization") else { return request }
        try checkCredential(for: request)
        let call = call(of: context)
        let known = spaces.withLock { $0.space(for: request) }
        guard let (space, isFirst) = call.withLock({ $0.challenge(to: request, orKnown: known) }) else {
            if request.body.isReplayable || context.authorization == .optional { return request }
            throw failure(
                "the server's challenge is not known yet, and the body can be read only once; "
                    + "send a request without a body first", request)
        }
        guard let answer = try await answer(to: space, for: request, isFirst: isFirst) else { return request }
        call.withLock { $0.add(answer) }
        var signed = request
        signed.headers["Authorization"] = answer.header
        return signed.marking(credentialSince: request)
            .marking(identity: identity, of: "Authorization")
    }

    public func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> HTTPResponse {
        let response = try await next(request)
        let call = call(of: context)
        guard let sent = call.withLock({ $0.answer(in: request) }) else { return response }
        if response.statusCode == 401 {
            let challenge = DigestChallenge.strongest(in: response.headers)
            if challenge?.realm == sent.space.challenge.realm { spaces.withLock { $0.remove(sent.space) } }
            return response
        }
        let info = response.headers["Authentication-Info"].map(AuthenticationChallenge.parameters) ?? []
        if checksServer, let proof = info["rspauth"], let expected = sent.answer.serverProof,
            !proof.equalsIgnoringASCIICase(expected)
        {
            throw failure("the server's proof that it knows the password is wrong", request, response)
        }
        call.withLock { $0.accepted(sent) }
        var space = sent.space
        let nextNonce = info["nextnonce"]
        if let nextNonce { space.challenge.nonce = nextNonce }
        if sent.isFirst || nextNonce != nil { spaces.withLock { [space] in $0.store(space) } }
        return response
    }

    public func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision {
        guard error.kind == .status, let response = error.response, response.statusCode == 401,
            scope.contains(response.request, context),
            let challenge = DigestChallenge.strongest(in: response.headers)
        else { return .doNotRetry }
        let request = response.request
        let space = DigestSpace(challenge, for: request, clientNonce: clientNonce())
        let isRepeated = call(of: context).withLock { call in
            let hadAnswer = call.answer(in: request) != nil
            // The caller's own credential was rejected.
            if !hadAnswer, context.withoutCommonHeaders(request).headers.contains("Authorization") { return false }
            return call.isRepeated(space, hadAnswer: hadAnswer)
        }
        guard isRepeated else { return .doNotRetry }
        context.call.options.storage?.grantReplay()
        return .retry
    }

    /// The answer to a challenge; `nil` if the nonce has reached its maximum number of uses.
    private func answer(
        to space: DigestSpace,
        for request: HTTPRequest,
        isFirst: Bool
    ) async throws -> DigestCall.Sent? {
        let challenge = space.challenge
        var bodyDigest: String?
        if challenge.protection == .authInt {
            guard request.body.isReplayable else {
                throw failure("the server requires a digest of the body, and the body can be read only once", request)
            }
            bodyDigest = try await request.body.digest(with: challenge.algorithm.hash.type)
        }
        guard let count = spaces.withLock({ $0.use(challenge.nonce, at: space.origin) }) else { return nil }
        let answer = DigestAnswer(
            to: challenge,
            as: account,
            session: space.session,
            method: request.method.rawValue,
            uri: request.requestTarget,
            count: count,
            clientNonce: challenge.algorithm.isSession ? space.session.clientNonce : clientNonce(),
            bodyDigest: bodyDigest
        )
        return DigestCall.Sent(header: answer.header, answer: answer, space: space, isFirst: isFirst)
    }

    private func call(of context: RequestContext) -> Locked<DigestCall> {
        let storage = context.call.options.storage
        return storage?.value(for: ObjectIdentifier(owner)) { Locked(DigestCall()) } ?? Locked(DigestCall())
    }

    private func failure(_ reason: String, _ request: HTTPRequest, _ response: HTTPResponse? = nil) -> NetworkError {
        NetworkError(kind: .authentication, reason: reason, request: request, response: response)
    }
}

extension DigestAuth: CustomStringConvertible, CustomReflectable {
    public var description: String { "DigestAuth(\(Redaction.placeholder))" }

    /// A mirror without the password, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["origins": origins], displayStyle: .struct) }
}
