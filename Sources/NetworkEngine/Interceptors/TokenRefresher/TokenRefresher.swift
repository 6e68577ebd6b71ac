/// Sends a credential with each request, and refreshes it when it is about to expire or the server rejects it.
///
/// ```swift
/// let store = InMemoryCredentialStore(BearerToken("old", refreshToken: "r"))
/// let refresher = TokenRefresher(store: store) { old, context in
///     let answer: TokenAnswer = try await context.request(AuthAPI.refresh(old.refreshToken))
///     return BearerToken(answer.accessToken, refreshToken: answer.refreshToken)
/// }
/// let provider = NetworkProvider<UserAPI>(interceptors: [RetryPolicy(), refresher])
/// ```
/// Requests that are rejected at the same time share one refresh. After the refresh, each of them is sent a second
/// time, even if the configuration allows only one attempt. A second rejection fails the call. A request with a body
/// that can be read only once is not resent.
///
/// A refresh does not depend on the calls that wait for it: if all of them are canceled, it continues and its result is
/// stored. If it fails, all of them fail with the same error of kind `.authentication`, with a `RefreshFailure` as
/// `underlying`. Later requests start another refresh, after a delay that grows with each failure.
/// `NetworkError.endsSession` is `true` if the user must sign in. A refresh inherits the task-local values of the call
/// that started it.
///
/// The refresh closure can call targets of the same provider. Those calls are sent without the credential and do not
/// wait for their own refresh.
///
/// The credential is sent only to the origin of the target's `baseURL` (see `RefreshOptions.allowedOrigins`). It is not
/// sent to targets with the `authorization` `.anonymous`, and does not replace a credential that the request already
/// has. It replaces one in `NetworkConfiguration.headers`.
public actor TokenRefresher<Token: Credential>:
    RequestInterceptor, SessionInterceptor, SecretMarkingInterceptor, NonInterceptingInterceptor, ComposedInterceptor
{
    let options: RefreshOptions
    private let origins: AllowedOrigins
    let operation: RefreshOperation<Token>
    let onSessionExpired: (@Sendable @concurrent () async -> Void)?
    /// Called after each failed refresh.
    let onFailure: (@Sendable @concurrent (RefreshFailure) async -> Void)?
    let timebase: Timebase
    /// The state that requests read without a hop to the actor.
    let snapshot = Locked(Snapshot())
    var machine: RefreshStateMachine<Token> {
        didSet {
            if machine.token == nil {
                start = nil
            } else if start == nil {
                start = machine.token.map { SessionStart(token: $0) }
            }
            let credential = PreparedCredential(machine.ready, since: start)
            let (session, firstSignIns) = (machine.session, firstSignIns)
            snapshot.withLock { snapshot in
                (snapshot.session, snapshot.firstSignIns, snapshot.credential) = (session, firstSignIns, credential)
            }
        }
    }
    /// Identifies the user for a cache; `nil` without a credential.
    var start: SessionStart<Token>?
    /// The number of sign-ins without a preceding credential.
    var firstSignIns = 0
    var running: [Int: RunningRefresh] = [:]
    /// The refreshes with closures that have not returned yet, including those from ended sessions.
    var unfinished: [UnfinishedRefresh] = []
    var loading: OneShot<RefreshFailure?>?
    /// The last sign-in or sign-out that is being saved.
    var storing: Task<Void, any Error>?
    var changeCount = 0
    /// The store's contents after a change that it rejected.
    var stale: StaleContents<Token>?

    struct Snapshot: Sendable {
        var session = 0
        var firstSignIns = 0
        /// `nil` while a refresh is due or running.
        var credential: PreparedCredential?
        var leaving = LeavingRequests()
    }

    /// Creates a refresher for a credential from a user's sign-in.
    ///
    /// - Parameters:
    ///   - refresh: returns a new credential. Calls for the same credential never overlap. A call is canceled only by
    ///     the timeout and by a sign-out. If it throws, the credential is kept, unless the error means that the session
    ///     is over.
    ///   - onSessionExpired: called once for each session that the server has ended.
    public init(
        store: some CredentialStore<Token>,
        options: RefreshOptions = RefreshOptions(),
        refresh:
            @escaping @Sendable @concurrent (_ credential: Token, _ context: RefreshContext) async throws -> Token,
        onSessionExpired: (@Sendable @concurrent () async -> Void)? = nil
    ) {
        self.init(
            store: store, options: options, refresh: refresh, onSessionExpired: onSessionExpired, onFailure: nil)
    }

    /// Creates a refresher for a credential that the process obtains itself, such as a service's.
    ///
    /// ```swift
    /// let tokens = TokenRefresher { context in
    ///     let answer: TokenAnswer = try await context.request(AuthAPI.clientCredentials)
    ///     return BearerToken(answer.accessToken, expiresIn: .seconds(answer.expiresIn))
    /// }
    /// let provider = NetworkProvider<UserAPI>(interceptors: .recommended(credential: tokens))
    /// ```
    /// The first call that needs a credential obtains it, and all others wait for it. A new one is obtained when the
    /// server rejects it or when it is about to expire.
    ///
    /// No failure signs the process out: `RefreshOptions.isSessionOver` is not called, and the calls that need a
    /// credential fail with the error until the next try.
    ///
    /// - Parameters:
    ///   - store: keeps the credential, for example for a process that restarts often.
    ///   - obtain: returns a new credential. Calls never overlap. A call is canceled only by the timeout and by a
    ///     sign-out.
    public init(
        store: some CredentialStore<Token>,
        options: RefreshOptions = RefreshOptions(),
        obtaining obtain: @escaping @Sendable @concurrent (_ context: RefreshContext) async throws -> Token
    ) {
        let operation = RefreshOperation<Token>(
            store: store, refresh: { _, context in try await obtain(context) }, obtains: true,
            isSessionOver: options.isSessionOver)
        self.init(operation, options: options)
    }

    /// Creates a refresher that obtains its credential and keeps it only in memory.
    public init(
        options: RefreshOptions = RefreshOptions(),
        obtaining obtain: @escaping @Sendable @concurrent (_ context: RefreshContext) async throws -> Token
    ) {
        self.init(store: InMemoryCredentialStore<Token>(nil), options: options, obtaining: obtain)
    }

    init(
        store: some CredentialStore<Token>,
        options: RefreshOptions,
        refresh:
            @escaping @Sendable @concurrent (_ credential: Token, _ context: RefreshContext) async throws -> Token,
        onSessionExpired: (@Sendable @concurrent () async -> Void)? = nil,
        onFailure: (@Sendable @concurrent (RefreshFailure) async -> Void)?
    ) {
        let operation = RefreshOperation<Token>(
            store: store,
            refresh: { old, context in
                guard let old else { throw RefreshFailure.signedOut }
                return try await refresh(old, context)
            },
            isSessionOver: options.isSessionOver)
        self.init(operation, options: options, onSessionExpired: onSessionExpired, onFailure: onFailure)
    }

    private init(
        _ operation: RefreshOperation<Token>,
        options: RefreshOptions,
        onSessionExpired: (@Sendable @concurrent () async -> Void)? = nil,
        onFailure: (@Sendable @concurrent (RefreshFailure) async -> Void)? = nil
    ) {
        self.options = options
        self.operation = operation
        self.onSessionExpired = onSessionExpired
        self.onFailure = onFailure
        origins = AllowedOrigins(options.allowedOrigins, allowsAll: options.sendsNothing)
        timebase = .reading(options.clock)
        machine = RefreshStateMachine(options, obtains: operation.obtains)
    }

    package static var compositionRules: [CompositionRule] { [.unique] }

    /// It waits, but never beyond the call's deadline.
    public nonisolated var mayWait: Bool { false }

    package nonisolated func callBegins(_ storage: CallStorage) {
        let snapshot = snapshot.withLock { $0 }
        let call = CallCredential(session: snapshot.session, firstSignIns: snapshot.firstSignIns)
        storage.set(call, for: ObjectIdentifier(self))
    }

    package nonisolated func hasEnded(_ storage: CallStorage) -> Bool {
        callCredential(in: storage).map { $0.session != snapshot.withLock { $0.session } } ?? false
    }

    package nonisolated func isOfSameUser(as storage: CallStorage) -> Bool {
        guard let call = callCredential(in: storage) else { return true }
        return snapshot.withLock { $0.session == call.session && $0.firstSignIns == call.firstSignIns }
    }

    public nonisolated func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        guard !isPartOfRefresh(context), context.authorization != .anonymous,
            origins.allows(request.url, in: context)
        else { return request }
        let snapshot = snapshot.withLock { $0 }
        let session = state(in: context)?.session ?? snapshot.session
        if let credential = snapshot.credential {
            if snapshot.session != session {
                // A request with a manually set credential belongs to no session.
                guard credential.apply(request, context) == nil else { throw AccessFailure.sessionOver.error(request) }
                return request
            }
            if credential.expiry.map({ timebase.now < $0 }) ?? true {
                return applying(credential, to: request, context, in: session)
            }
        }
        do throws(AccessFailure) {
            let isUnrepeatable = !request.body.isReplayable
            let credential =
                context.usesOnlyCache
                ? try await credentialAtHand(context, in: session)
                : try await preparedAccess(context, in: session, isUnrepeatable: isUnrepeatable)
            return applying(credential, to: request, context, in: session)
        } catch {
            if case .refused(.signedOut) = error, context.authorization == .optional,
                self.snapshot.withLock({ $0.session }) == session
            {
                return request
            }
            throw error.error(request)
        }
    }

    private nonisolated func applying(
        _ credential: PreparedCredential,
        to request: HTTPRequest,
        _ context: RequestContext,
        in session: Int
    ) -> HTTPRequest {
        guard let signed = credential.apply(request, context) else { return request }
        var call = state(in: context) ?? CallCredential(session: session)
        call.version = credential.version
        context.call.options.storage?.set(call, for: ObjectIdentifier(self))
        return signed
    }

    public nonisolated func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision {
        guard var state = state(in: context), let version = state.version, !state.hasReplayed,
            !isPartOfRefresh(context),
            error.kind == .status, let response = error.response, options.isRejection(response),
            // A redirect to another origin was sent without the credential.
            origins.allows(response.request.url, in: context)
        else { return .doNotRetry }
        do throws(AccessFailure) {
            try await refresh(version, in: state.session, context)
        } catch {
            switch error {
            case .cancelled, .refused(.declined): return .doNotRetry
            case .deadlinePassed, .sessionOver, .refused: return .fail(error.error(response.request, response))
            }
        }
        state.hasReplayed = true
        context.call.options.storage?.set(state, for: ObjectIdentifier(self))
        context.call.options.storage?.grantReplay()
        return .retry
    }

    /// Whether a call is part of a refresh, so that it must not wait for one.
    nonisolated func isPartOfRefresh(_ context: RequestContext) -> Bool {
        context.call.options.transport.refresh == .marked || RefreshScope.isActive(for: self)
    }

    nonisolated func callCredential(in storage: CallStorage) -> CallCredential? {
        storage.value(for: ObjectIdentifier(self))
    }

    private nonisolated func state(in context: RequestContext) -> CallCredential? {
        context.call.options.storage.flatMap { callCredential(in: $0) }
    }
}

/// The state that a refresher keeps for a call.
struct CallCredential: Sendable {
    /// The session at the start of the call.
    let session: Int
    var firstSignIns = 0
    /// The version of the credential in the last attempt.
    var version: Int?
    var hasReplayed = false
}
