/// Which credential is in use, whether it is being renewed, and what that means for each request; pure.
///
/// Every request that gets the credential is stamped with a version. The version changes with each new credential, and
/// also when a failed renewal is forgiven, so that late rejections are told from new ones.
package struct RefreshStateMachine<Token: Credential>: Sendable {
    package typealias Version = Int

    /// One renewal.
    package struct Flight: Hashable, Sendable {
        package let id: Int
        /// The version of the credential that it renews.
        package let version: Version
        package let token: Token

        package static func == (left: Self, right: Self) -> Bool { left.id == right.id }
        package func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    /// What a request that needs the credential is to do.
    package enum Access: Sendable {
        case use(Token, Version)
        /// Use it, and start a renewal for those who come later.
        case useAndRenew(Token, Version, Flight)
        case wait(Flight)
        case renew(Flight)
        case fail(RefreshFailure)
        /// Nothing is known of a credential: the store has to be asked.
        case unknown
    }

    /// What a request that was rejected is to do.
    package enum Answer: Sendable {
        /// There is another credential now.
        case replay
        case wait(Flight)
        case renew(Flight)
        case fail(RefreshFailure)
    }

    private enum Phase: Sendable {
        case idle
        case renewing(Running)
        case failed(RefreshFailure)
    }

    /// The renewal that has begun and has not ended, also when it takes longer than it may.
    private struct Running: Sendable {
        let flight: Flight
        /// Whether requests wait for it.
        var isForced: Bool
        var isOverdue = false
    }

    package struct Limits: Sendable {
        package var advisory: Duration
        package var mandatory: Duration
        package var excessLimit: Int
        package var excessWindow: Duration
        package var waits: Bool

        package init(
            advisory: Duration = .seconds(300),
            mandatory: Duration = .seconds(30),
            excessLimit: Int = 5,
            excessWindow: Duration = .seconds(30),
            waits: Bool = true
        ) {
            self.advisory = advisory.bounded
            self.mandatory = mandatory.bounded
            self.excessLimit = excessLimit
            self.excessWindow = excessWindow.bounded
            self.waits = waits
        }
    }

    private let limits: Limits
    package private(set) var token: Token?
    private var phase = Phase.idle
    /// Another one when anything has changed for those who are on their way.
    package private(set) var version: Version = 0
    /// Another one when the user has signed out, or the server has ended the session: a call belongs to the one in which
    /// it began.
    package private(set) var session = 0
    /// Since which version the credential is in use.
    private var tokenVersion: Version = 0
    private var advisoryTime: Duration?
    private var mandatoryTime: Duration?
    private var lastFailure = RefreshFailure.signedOut
    private var starts: [Duration] = []
    private var flightCount = 0
    /// Whether a server has said that the credential is not valid.
    private var isRejected = false

    package init(_ limits: Limits = Limits()) { self.limits = limits }

    /// The credential, when there is nothing to decide until a time: nobody renews it.
    package var ready: (token: Token, version: Version, expiry: Duration?)? {
        guard let token, case .idle = phase else { return nil }
        return (token, version, advisoryTime)
    }

    /// A request is about to be sent.
    ///
    /// - Parameter isUnrepeatable: whether it cannot be replayed, so that it should not be the one that finds out.
    package mutating func access(at now: Duration, isUnrepeatable: Bool = false) -> Access {
        guard let token else { return .unknown }
        let isDue = mandatoryTime.map { now >= $0 } ?? false
        let isDueSoon = advisoryTime.map { now >= $0 } ?? false
        let mustWait = isDue || (isDueSoon && isUnrepeatable)
        switch phase {
        case .renewing(var running):
            guard mustWait || (running.isForced && limits.waits) else { return .use(token, version) }
            running.isForced = true
            phase = .renewing(running)
            return .wait(running.flight)
        case .failed:
            // A new request has a new chance; who was rejected before has not.
            phase = .idle
            version += 1
        case .idle: break
        }
        guard mustWait || isDueSoon else { return .use(token, version) }
        guard let flight = begin(token, isForced: mustWait, at: now) else {
            return isDue ? .fail(.excessiveRefresh) : .use(token, version)
        }
        return mustWait ? .renew(flight) : .useAndRenew(token, version, flight)
    }

    /// A request with this stamp was rejected.
    package mutating func rejected(_ stamp: Version, at now: Duration) -> Answer {
        guard let token else { return .fail(.signedOut) }
        if stamp < tokenVersion { return .replay }
        isRejected = true
        switch phase {
        case .renewing(var running):
            running.isForced = true
            phase = .renewing(running)
            return .wait(running.flight)
        case .failed(let failure): return .fail(failure)
        case .idle where stamp < version: return .fail(lastFailure)
        case .idle: return begin(token, isForced: true, at: now).map { .renew($0) } ?? .fail(.excessiveRefresh)
        }
    }

    /// The credential, if it has not expired and nobody has rejected it, whatever came of renewing it.
    package func stillGood(at now: Duration) -> (Token, Version)? {
        guard let token, !isRejected, mandatoryTime.map({ now < $0 }) ?? true else { return nil }
        return (token, version)
    }

    /// A renewal takes longer than its timeout. The calls that wait for it fail. No other begins before it has ended, because
    /// the server would see the same credential twice.
    package mutating func timedOut(_ flight: Flight) {
        guard case .renewing(var running) = phase, running.flight == flight else { return }
        running.isOverdue = true
        phase = .renewing(running)
    }

    /// A renewal has ended.
    ///
    /// - Parameter life: how long the new credential lasts from now, if that is known.
    /// - Returns: the result for the calls that wait. They ask the machine again when it is a success, also after the
    ///   failure of a renewal that was overdue.
    package mutating func ended(
        _ flight: Flight,
        _ result: Result<Token, RefreshFailure>,
        life: Duration? = nil,
        at now: Duration,
        spread: Double = 0
    ) -> Result<Void, RefreshFailure> {
        switch result {
        case .success(let new):
            guard running(flight) != nil else { return .failure(token == nil ? .signedOut : .timedOut) }
            adopt(new, life: life, isFresh: true, at: now, spread: spread)
            guard let life, life <= .zero else { return .success(()) }
            return .failure(fail(.expiredOnArrival))
        case .failure(let failure):
            guard let running = running(flight) else { return .failure(failure) }
            if case .sessionExpired = failure {
                forget()
                return .failure(failure)
            }
            if !running.isForced {
                // The old one is still good: another try later, and nobody has to hear of it.
                phase = .idle
                advisoryTime = now + .seconds(10)
                return .failure(failure)
            }
            guard running.isOverdue else { return .failure(fail(failure)) }
            _ = fail(.timedOut)
            return .success(())
        }
    }

    /// The store was read, or somebody has signed in. Whoever was rejected with another credential gets this one.
    package mutating func replace(by new: Token?, life: Duration? = nil, at now: Duration, spread: Double = 0) {
        guard let new else { return forget() }
        adopt(new, life: life, isFresh: false, at: now, spread: spread)
    }

    /// Nobody is signed in any more; a renewal that is still going on will not change that.
    package mutating func forget() {
        session += 1
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

    private func running(_ flight: Flight) -> Running? {
        guard case .renewing(let running) = phase, running.flight == flight else { return nil }
        return running
    }

    private mutating func fail(_ failure: RefreshFailure) -> RefreshFailure {
        phase = .failed(failure)
        lastFailure = failure
        return failure
    }

    private mutating func begin(_ token: Token, isForced: Bool, at now: Duration) -> Flight? {
        let window = limits.excessWindow
        starts.removeAll { $0 + window <= now }
        guard starts.count < limits.excessLimit else { return nil }
        starts.append(now)
        flightCount += 1
        let flight = Flight(id: flightCount, version: tokenVersion, token: token)
        phase = .renewing(Running(flight: flight, isForced: isForced))
        return flight
    }

    /// - Parameter isFresh: whether its life begins now. Windows longer than a good part of a life would have it renewed
    ///   all the time.
    private mutating func adopt(_ new: Token, life: Duration?, isFresh: Bool, at now: Duration, spread: Double) {
        clear()
        token = new
        guard let life else { return }
        let whole = max(.zero, life)
        let advisory = isFresh ? min(limits.advisory, whole / 5) : limits.advisory
        let mandatory = isFresh ? min(limits.mandatory, whole / 10) : limits.mandatory
        advisoryTime = now + life - advisory - (advisory / 10).scaled(by: spread)
        mandatoryTime = now + life - mandatory
    }
}
