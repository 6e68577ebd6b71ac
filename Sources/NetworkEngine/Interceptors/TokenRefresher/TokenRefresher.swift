/// Sends a credential with each request, and renews it when it is about to expire or was rejected.
///
/// ```swift
/// let refresher = TokenRefresher(store: InMemoryCredentialStore(BearerToken("old", refreshToken: "r"))) { old, context in
///     let answer: TokenAnswer = try await context.request(AuthAPI.refresh(old.refreshToken))
///     return BearerToken(answer.accessToken, refreshToken: answer.refreshToken)
/// }
/// let provider = NetworkProvider<UserAPI>(interceptors: [RetryPolicy(), refresher])
/// ```
/// However many requests are rejected at the same time, there is one renewal, and each of them is sent a second time when
/// that has ended, even where the configuration allows one attempt. A second rejection is the caller's. A request whose
/// body can be read once is not sent again.
///
/// A renewal belongs to nobody who waits for it: it goes on, and what it brings is stored, when all of them are cancelled.
/// When it fails, all of them fail with the same error of kind `.authentication`, whose `underlying` is a `RefreshFailure`;
/// requests that come later have a new chance. It has the task-locals of the call that started it.
///
/// The refresh closure can call targets of the same provider. Those calls go out without the credential, and do not wait
/// for the renewal that they are part of.
///
/// The credential goes to the origin of the target's `baseURL` and nowhere else (see `RefreshOptions.allowedOrigins`), not
/// to targets whose `authorization` is `.none`, and not over one that was set by hand.
public actor TokenRefresher<Token: Credential>: RequestInterceptor, SessionInterceptor, MarkingInterceptor {
    let options: RefreshOptions
    let origins: OriginList
    let renewal: RefreshOperation<Token>
    let onSessionExpired: (@Sendable @concurrent () async -> Void)?
    let timebase: Timebase
    /// What a request finds without going to the actor.
    let shown = Locked(Shown())
    var machine: RefreshStateMachine<Token> {
        didSet { shown.withLock { $0 = Shown(session: machine.session, credential: ReadyCredential(machine.ready)) } }
    }
    var flights: [Int: RunningFlight] = [:]
    /// The renewals whose closures have not returned, including those of sessions that are over.
    var working: [Working] = []
    var loading: OneShot<RefreshFailure?>?
    /// The last sign-in or sign-out on its way to the store.
    var storing: Task<Void, any Error>?

    struct Shown: Sendable {
        var session = 0
        /// There while there is nothing to decide.
        var credential: ReadyCredential?
    }

    /// Makes a refresher.
    ///
    /// - Parameters:
    ///   - refresh: renews a credential. Never called for a credential while another call for it runs, and cancelled by nobody
    ///     but the timeout. What it throws leaves the credential as it is, unless it says that the session is over.
    ///   - onSessionExpired: called once for each session that the server has ended.
    public init(
        store: some CredentialStore<Token>,
        options: RefreshOptions = RefreshOptions(),
        refresh:
            @escaping @Sendable @concurrent (_ credential: Token, _ context: RefreshContext) async throws -> Token,
        onSessionExpired: (@Sendable @concurrent () async -> Void)? = nil
    ) {
        self.options = options
        self.onSessionExpired = onSessionExpired
        origins = OriginList(options.allowedOrigins, allowsAll: options.sendsNothing)
        renewal = RefreshOperation(store: store, refresh: refresh, isSessionOver: options.isSessionOver)
        timebase = .reading(options.clock)
        machine = RefreshStateMachine(
            RefreshStateMachine.Limits(
                advisory: options.advisoryWindow,
                mandatory: options.mandatoryWindow,
                excessLimit: options.excessLimit,
                excessWindow: options.excessWindow,
                waits: options.waitsForRenewal
            )
        )
    }

    /// It waits, but never beyond the call's deadline.
    public nonisolated var mayWait: Bool { false }

    package nonisolated func callBegins(_ notes: CallStorage) {
        notes.write(AuthNote(session: shown.withLock { $0.session }), by: ObjectIdentifier(self))
    }

    public nonisolated func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        guard !isRenewal(context), context.authorization != .none,
            origins.allows(request.url, for: context.target)
        else { return request }
        let shown = shown.withLock { $0 }
        let session = note(in: context)?.session ?? shown.session
        if let credential = shown.credential {
            if shown.session != session {
                // What carries a credential set by hand belongs to no session.
                guard credential.put(request) == nil else { throw AccessFailure.sessionOver.error(request) }
                return request
            }
            if credential.expiry.map({ timebase.now < $0 }) ?? true {
                return applying(credential, to: request, context, in: session)
            }
        }
        do throws(AccessFailure) {
            let isUnrepeatable = !request.body.isReplayable
            let (token, version) = try await access(context, in: session, isUnrepeatable: isUnrepeatable)
            return applying(ReadyCredential(token, version), to: request, context, in: session)
        } catch {
            if case .refused(.signedOut) = error, context.authorization == .optional,
                self.shown.withLock({ $0.session }) == session
            {
                return request
            }
            throw error.error(request)
        }
    }

    private nonisolated func applying(
        _ credential: ReadyCredential,
        to request: HTTPRequest,
        _ context: RequestContext,
        in session: Int
    ) -> HTTPRequest {
        guard let signed = credential.put(request) else { return request }
        let hasReplayed = note(in: context)?.hasReplayed ?? false
        context.call.notes?.write(
            AuthNote(session: session, version: credential.version, hasReplayed: hasReplayed),
            by: ObjectIdentifier(self)
        )
        return signed
    }

    public nonisolated func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision {
        guard var note = note(in: context), let version = note.version, !note.hasReplayed, !isRenewal(context),
            error.kind == .status, let response = error.response, options.isRejection(response),
            // A redirect may have led to somebody else, who was not shown the credential.
            origins.allows(response.request.url, for: context.target)
        else { return .doNotRetry }
        do throws(AccessFailure) {
            try await replace(version, in: note.session, context)
        } catch {
            switch error {
            case .cancelled, .refused(.declined): return .doNotRetry
            case .late, .sessionOver, .refused: return .fail(error.error(response.request, response))
            }
        }
        note.hasReplayed = true
        context.call.notes?.write(note, by: ObjectIdentifier(self))
        context.call.notes?.grantReplay()
        return .retry
    }

    /// Whether a call must not wait for a renewal: because it is part of one of this refresher's, or says so itself.
    private nonisolated func isRenewal(_ context: RequestContext) -> Bool {
        context.call.isMarkedAsRefresh || RefreshScope.isActive(for: self)
    }

    private nonisolated func note(in context: RequestContext) -> AuthNote? {
        context.call.notes?.note(of: ObjectIdentifier(self))
    }
}

/// What a refresher remembers of a call.
private struct AuthNote: Sendable {
    /// The session in which the call began.
    let session: Int
    /// The version of the credential that the last attempt was sent with.
    var version: Int?
    var hasReplayed = false
}

extension AccessFailure {
    /// The error that a call ends with.
    fileprivate func error(_ request: HTTPRequest, _ response: HTTPResponse? = nil) -> any Error {
        switch self {
        case .cancelled: CancellationError()
        case .late: NetworkError.deadlinePassed(request)
        case .sessionOver: NetworkError.authentication(.signedOut, request: request, response: response)
        case .refused(let failure): NetworkError.authentication(failure, request: request, response: response)
        }
    }
}
