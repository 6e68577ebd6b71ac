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
/// requests that come later have a new chance.
///
/// The credential goes to the origin of the target's `baseURL` and nowhere else (see `RefreshOptions.allowedOrigins`), not
/// to targets whose `authorization` is `.none`, and not over one that was set by hand.
public actor TokenRefresher<Token: Credential>: RequestInterceptor, MarkingInterceptor {
    let options: RefreshOptions
    let origins: OriginList
    let renewal: Renewal<Token>
    let onSessionExpired: (@Sendable () async -> Void)?
    let timebase: Timebase
    /// Where a request finds the credential while there is nothing to decide, without going to the actor.
    let ready = Locked<ReadyCredential?>(nil)
    var machine: RefreshMachine<Token> {
        didSet { ready.withLock { $0 = ReadyCredential(machine.ready) } }
    }
    var flights: [Int: RunningFlight] = [:]
    var loading: OneShot<RefreshFailure?>?
    /// The last sign-in or sign-out on its way to the store.
    var storing: Task<Void, any Error>?

    struct RunningFlight {
        let result = OneShot<Result<Void, RefreshFailure>>()
        var tasks: [Task<Void, Never>] = []
    }

    /// Makes a refresher.
    ///
    /// - Parameters:
    ///   - refresh: renews a credential. Called by one task at a time, whom nobody cancels but the timeout. What it throws
    ///     leaves the credential as it is, unless it says that the session is over.
    ///   - onSessionExpired: called once for each session that the server has ended.
    public init(
        store: some CredentialStore<Token>,
        options: RefreshOptions = RefreshOptions(),
        refresh: @escaping @Sendable (_ credential: Token, _ context: RefreshContext) async throws -> Token,
        onSessionExpired: (@Sendable () async -> Void)? = nil
    ) {
        self.options = options
        self.onSessionExpired = onSessionExpired
        origins = OriginList(options.allowedOrigins, allowsAll: options.sendsNothing)
        renewal = Renewal(store: store, refresh: refresh, isSessionOver: options.isSessionOver)
        timebase = .reading(options.clock)
        machine = RefreshMachine(
            RefreshMachine.Limits(
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

    public nonisolated func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        guard !context.isRefresh, context.authorization != .none,
            origins.allows(request.url, for: context.target)
        else { return request }
        if let credential = ready.withLock({ $0 }), credential.expiry.map({ timebase.now < $0 }) ?? true {
            return applying(credential, to: request, context)
        }
        do throws(AccessFailure) {
            let (token, version) = try await access(context, isUnrepeatable: !request.body.isReplayable)
            return applying(ReadyCredential(token, version), to: request, context)
        } catch {
            switch error {
            case .cancelled: throw CancellationError()
            case .late: throw NetworkError.deadlinePassed(request)
            case .refused(.signedOut) where context.authorization == .optional: return request
            case .refused(let failure): throw NetworkError.authentication(failure, request: request)
            }
        }
    }

    private nonisolated func applying(
        _ credential: ReadyCredential,
        to request: HTTPRequest,
        _ context: RequestContext
    ) -> HTTPRequest {
        guard let signed = credential.put(request) else { return request }
        context.call.notes?.write(
            AuthNote(version: credential.version, hasReplayed: note(in: context)?.hasReplayed ?? false),
            by: ObjectIdentifier(self)
        )
        return signed
    }

    public nonisolated func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision {
        guard let note = note(in: context), !note.hasReplayed, !context.isRefresh,
            error.kind == .status, let response = error.response, options.isRejection(response),
            // A redirect may have led to somebody else, who was not shown the credential.
            origins.allows(response.request.url, for: context.target)
        else { return .doNotRetry }
        do throws(AccessFailure) {
            try await replace(note.version, context)
        } catch {
            if case .late = error { return .fail(NetworkError.deadlinePassed(response.request)) }
            guard case .refused(let failure) = error else { return .doNotRetry }
            if case .declined = failure { return .doNotRetry }
            return .fail(NetworkError.authentication(failure, response: response))
        }
        context.call.notes?.write(AuthNote(version: note.version, hasReplayed: true), by: ObjectIdentifier(self))
        context.call.notes?.grantReplay()
        return .retry
    }

    private nonisolated func note(in context: RequestContext) -> AuthNote? {
        context.call.notes?.note(of: ObjectIdentifier(self))
    }
}

/// What a refresher remembers of a call.
private struct AuthNote: Sendable {
    /// The version of the credential that the last attempt was sent with.
    var version: Int
    var hasReplayed: Bool
}
