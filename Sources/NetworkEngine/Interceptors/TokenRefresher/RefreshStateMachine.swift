/// The current credential and its refresh, which determine what each request does; a pure state machine.
///
/// Each request with the credential records its version. The version changes with each new credential, and also when a
/// new request may refresh again after a failure, so that late rejections differ from new ones.
struct RefreshStateMachine<Token: Credential>: Sendable {
    typealias Version = Int

    /// A single refresh.
    struct Refresh: Equatable, Sendable {
        let id: Int
        /// The credential to replace; `nil` if there is none.
        let token: Token?

        static func == (left: Self, right: Self) -> Bool { left.id == right.id }
    }

    /// The next step for a request that requires the credential.
    enum Access: Sendable {
        case use(Token, Version)
        /// Use the credential, and start a refresh for later requests.
        case useAndRefresh(Token, Version, Refresh)
        case wait(Refresh)
        case refresh(Refresh)
        case fail(RefreshFailure)
        /// No credential is in memory: read the store.
        case unknown
    }

    /// The next step for a rejected request.
    enum Recovery: Sendable {
        /// Send the request again with the current credential.
        case replay
        case wait(Refresh)
        case refresh(Refresh)
        case fail(RefreshFailure)
    }

    private enum Phase: Sendable {
        case idle
        case refreshing(Running)
        case failed(RefreshFailure)
    }

    /// An unfinished refresh, including an overdue one.
    private struct Running: Sendable {
        let refresh: Refresh
        /// Whether requests wait for the refresh.
        var isForced: Bool
        var isOverdue = false
    }

    private let options: RefreshOptions
    /// Whether the first credential is obtained like a later one.
    private let obtains: Bool
    private(set) var token: Token?
    private var phase = Phase.idle
    /// Changes with everything that affects requests in progress.
    private(set) var version: Version = 0
    /// Changes when the user signs out or the server ends the session. A call belongs to the session current at its
    /// start.
    private(set) var session = 0
    /// The first version of the current credential.
    private var tokenVersion: Version = 0
    private var advisoryTime: Duration?
    private var mandatoryTime: Duration?
    private var pace: RefreshPace
    private var refreshCount = 0
    /// Whether a server has rejected the credential.
    private var isRejected = false

    init(_ options: RefreshOptions = RefreshOptions(), obtains: Bool = false) {
        self.options = options
        self.obtains = obtains
        pace = RefreshPace(options)
    }

    /// The credential, if no refresh is running, and the time of the next decision.
    var ready: (token: Token, version: Version, expiry: Duration?)? {
        guard let token, case .idle = phase else { return nil }
        return (token, version, advisoryTime)
    }

    /// Decides what to do with a request that is about to be sent.
    ///
    /// - Parameters:
    ///   - isUnrepeatable: whether the request cannot be replayed. If so, it waits for an early refresh, to avoid a
    ///     rejection.
    ///   - hasLoaded: whether the store was read for the request.
    mutating func access(
        at now: Duration, isUnrepeatable: Bool = false, hasLoaded: Bool = false
    ) -> Access {
        guard let token else { return firstAccess(at: now, hasLoaded: hasLoaded) }
        let isDue = mandatoryTime.map { now >= $0 } ?? false
        let isDueSoon = advisoryTime.map { now >= $0 } ?? false
        let mustWait = isDue || (isDueSoon && isUnrepeatable)
        switch phase {
        case .refreshing(var running):
            guard mustWait || (running.isForced && options.waitsForRefresh) else { return .use(token, version) }
            running.isForced = true
            phase = .refreshing(running)
            return .wait(running.refresh)
        case .failed:
            // A new request starts another refresh. An earlier rejected request does not.
            phase = .idle
            version += 1
        case .idle: break
        }
        guard mustWait || isDueSoon else { return .use(token, version) }
        switch begin(token, isForced: mustWait, at: now) {
        case .failure(let failure): return isDue ? .fail(failure) : .use(token, version)
        case .success(let refresh): return mustWait ? .refresh(refresh) : .useAndRefresh(token, version, refresh)
        }
    }

    /// Decides what to do with a request while no credential is in memory.
    private mutating func firstAccess(at now: Duration, hasLoaded: Bool) -> Access {
        if case .refreshing(let running) = phase { return .wait(running.refresh) }
        guard hasLoaded else { return .unknown }
        guard obtains else { return .fail(.signedOut) }
        switch begin(nil, isForced: true, at: now) {
        case .failure(let failure): return .fail(failure)
        case .success(let refresh): return .refresh(refresh)
        }
    }

    /// Decides what to do with a rejected request that was sent with this version.
    mutating func rejected(_ sentVersion: Version, at now: Duration) -> Recovery {
        guard let token else { return .fail(.signedOut) }
        if sentVersion < tokenVersion { return .replay }
        isRejected = true
        switch phase {
        case .refreshing(var running):
            running.isForced = true
            phase = .refreshing(running)
            return .wait(running.refresh)
        case .failed(let failure): return .fail(failure)
        case .idle where sentVersion < version: return .fail(pace.lastFailure)
        case .idle:
            switch begin(token, isForced: true, at: now) {
            case .failure(let failure): return .fail(failure)
            case .success(let refresh): return .refresh(refresh)
            }
        }
    }

    /// Returns the credential if it has not expired and no server has rejected it, even after a failed refresh.
    func validToken(at now: Duration) -> (Token, Version)? {
        guard let token, !isRejected, mandatoryTime.map({ now < $0 }) ?? true else { return nil }
        return (token, version)
    }

    /// Records the timeout of a refresh. The calls that wait for it fail. No other refresh starts before it has ended,
    /// because the server would see the same credential twice.
    mutating func timedOut(_ refresh: Refresh) {
        guard case .refreshing(var running) = phase, running.refresh == refresh else { return }
        running.isOverdue = true
        phase = .refreshing(running)
    }

    /// Records the end of a refresh.
    ///
    /// - Parameters:
    ///   - life: the remaining lifetime of the new credential, if known.
    ///   - spread: a random number, which spreads out the next refreshes of many processes.
    /// - Returns: the result for the waiting calls. After a success they consult the machine again, even if an overdue
    ///   refresh failed.
    mutating func ended(
        _ refresh: Refresh,
        _ result: Result<Token, RefreshFailure>,
        life: Duration? = nil,
        at now: Duration,
        spread: Double = 0
    ) -> Result<Void, RefreshFailure> {
        switch result {
        case .success(let new):
            guard running(refresh) != nil else { return .failure(token == nil ? .signedOut : .timedOut) }
            adopt(new, life: life, isFresh: true, at: now, spread: spread)
            guard let life, life <= .zero else {
                pace.succeeded(at: now)
                return .success(())
            }
            return .failure(fail(.expiredOnArrival, at: now, spread))
        case .failure(let failure):
            guard let running = running(refresh) else { return .failure(failure) }
            if case .sessionExpired = failure {
                signOut()
                return .failure(failure)
            }
            if !running.isForced {
                // The old credential is still valid. The next attempt is later, and no call fails.
                phase = .idle
                advisoryTime = now + .seconds(10)
                return .failure(failure)
            }
            guard running.isOverdue else { return .failure(fail(failure, at: now, spread)) }
            _ = fail(.timedOut, at: now, spread)
            return .success(())
        }
    }

    /// Sets the credential from the store or a sign-in. Calls rejected with another credential are replayed with it.
    mutating func setToken(_ new: Token?, life: Duration? = nil, at now: Duration, spread: Double = 0) {
        guard let new else { return signOut() }
        pace.forgetFailures()
        adopt(new, life: life, isFresh: false, at: now, spread: spread)
    }

    /// Removes the credential. A running refresh no longer has any effect.
    mutating func signOut() {
        session += 1
        pace.forgetFailures()
        clear()
    }

    private mutating func clear() {
        version += 1
        tokenVersion = version
        token = nil
        isRejected = false
        phase = .idle
        advisoryTime = nil
        mandatoryTime = nil
    }

    /// Another session has started elsewhere.
    mutating func forgetFailures() { pace.forgetFailures() }

    private func running(_ refresh: Refresh) -> Running? {
        guard case .refreshing(let running) = phase, running.refresh == refresh else { return nil }
        return running
    }

    private mutating func fail(_ failure: RefreshFailure, at now: Duration, _ spread: Double) -> RefreshFailure {
        phase = .failed(failure)
        pace.failed(failure, at: now, spread: spread)
        return failure
    }

    private mutating func begin(_ token: Token?, isForced: Bool, at now: Duration) -> Result<Refresh, RefreshFailure> {
        if let refusal = pace.refusal(at: now) { return .failure(refusal) }
        refreshCount += 1
        let refresh = Refresh(id: refreshCount, token: token)
        phase = .refreshing(Running(refresh: refresh, isForced: isForced))
        return .success(refresh)
    }

    /// - Parameter isFresh: whether the credential's lifetime starts now. If so, the windows are limited to a part of
    ///   the lifetime, because longer windows would refresh a short-lived credential all the time.
    private mutating func adopt(_ new: Token, life: Duration?, isFresh: Bool, at now: Duration, spread: Double) {
        clear()
        token = new
        guard let life else { return }
        let whole = max(.zero, life)
        var (advisory, mandatory) = (options.advisoryWindow.bounded, options.mandatoryWindow.bounded)
        if isFresh { (advisory, mandatory) = (min(advisory, whole / 5), min(mandatory, whole / 10)) }
        advisoryTime = now + life - advisory - (advisory / 10).scaled(by: spread)
        mandatoryTime = now + life - mandatory
    }
}
