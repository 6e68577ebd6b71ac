/// What one exchange has come to: events go in, what must be done about them comes out.
///
/// Pure, so that every order of events can be tried without a socket. Whoever holds it asks under a lock and acts after.
package struct Transfer: Sendable {
    /// Why we ourselves give an exchange up.
    package enum StopReason: Hashable, Sendable {
        case cancelled, interrupted, shutDown
        case tooLarge(limit: Int64)
        /// The reader of a streamed body is too far behind.
        case backlogFull(limit: Int64)
        case violation(String)
        /// The platform does not detect a truncated body in this coding.
        case unchecked(coding: String)
        /// A session can be made to answer with something else, such as a file.
        case notHTTP
        case cannotStore
        case queueFull(limit: Int)
        case certificate(TransportFailure.CertificateProblem)
    }

    package enum Outcome: Hashable, Sendable {
        case success
        case stopped(StopReason, during: TransportFailure.TimeoutPhase)
        /// The session gave up with an error, which says why.
        case failed
        /// The session ended it without an error, but without a response.
        case noResponse
        /// Fewer bytes came than the response's head had announced.
        case truncated
    }

    /// What an event leads to, all of it to be done outside the lock.
    package struct Effects: Hashable, Sendable {
        package var outcome: Outcome?
        package var leavesQueue = false
        package var stopsTask = false
        package var freesPlace = false
        /// A new task takes the place of the one that has ended.
        package var startsAgain = false
        /// The task continues briefly, so that its connection can be reused.
        package var drains = false

        package init(
            outcome: Outcome? = nil,
            leavesQueue: Bool = false,
            stopsTask: Bool = false,
            freesPlace: Bool = false,
            startsAgain: Bool = false,
            drains: Bool = false
        ) {
            self.outcome = outcome
            self.leavesQueue = leavesQueue
            self.stopsTask = stopsTask
            self.freesPlace = freesPlace
            self.startsAgain = startsAgain
            self.drains = drains
        }
    }

    private enum Stage { case new, queued, starting, running, ended }

    private var stage = Stage.new
    package private(set) var isSettled = false
    private var isStopping = false
    private var isChallenged = false
    private var startsLeft = 5
    private let limit: Int64
    private let canStream: Bool
    private let followsRedirects: Bool
    /// Whether the response is a followed redirect, whose body is dropped.
    private var isDraining = false
    private static let drainLimit: Int64 = 64 << 10
    private let keepsPlace: Bool
    private var hasFreedPlace = false
    /// Whether the response was given away with its head, and its body follows.
    package private(set) var isStreaming = false
    package private(set) var head: ResponseHead?
    package private(set) var received: Int64 = 0

    /// - Parameters:
    ///   - limit: the bytes that the response's body may have, unless it is streamed.
    ///   - canStream: whether a successful response is given away with its head.
    ///   - keepsPlace: whether such a response keeps the exchange's place until its body has come.
    ///   - followsRedirects: whether a redirect succeeds with its head, and its body is dropped.
    package init(limit: Int64, canStream: Bool = false, keepsPlace: Bool = false, followsRedirects: Bool = false) {
        self.limit = limit
        self.canStream = canStream
        self.keepsPlace = keepsPlace
        self.followsRedirects = followsRedirects
    }

    private var phase: TransportFailure.TimeoutPhase {
        switch stage {
        case .new, .queued: .queue
        case .starting, .running, .ended: head == nil ? .response : .body
        }
    }

    // MARK: Before the wire

    /// Somebody waits for the outcome now.
    ///
    /// - Returns: whether to ask for admission; not when it was stopped before.
    package mutating func begin() -> Bool {
        guard stage == .new else { return false }
        stage = .queued
        return true
    }

    /// The exchange is in the queue; it was possibly stopped while it was put there.
    package func enqueued() -> Effects { Effects(leavesQueue: stage == .ended) }

    /// The exchange has a place.
    ///
    /// - Returns: whether to start; if not, the place is to be freed.
    package mutating func admitted() -> Bool {
        guard stage == .queued else { return false }
        stage = .starting
        return true
    }

    /// The session takes no more tasks.
    package mutating func couldNotStart() -> Effects {
        stage = .ended
        return Effects(outcome: settle(.stopped(.shutDown, during: .queue)), freesPlace: true)
    }

    /// The task's `resume()` has returned: from here on it may be cancelled, and not before (`linux.md` 0, rule 3).
    package mutating func resumed() -> Effects {
        guard stage == .starting else { return Effects() }
        stage = .running
        return Effects(stopsTask: isStopping)
    }

    // MARK: Stopping

    /// Somebody gives the exchange up; only the first time counts, and not after an outcome.
    package mutating func stop(_ reason: StopReason) -> Effects {
        guard let outcome = settle(.stopped(reason, during: phase)) else { return Effects() }
        switch stage {
        case .new:
            stage = .ended
            return Effects(outcome: outcome)
        case .queued:
            stage = .ended
            return Effects(outcome: outcome, leavesQueue: true)
        case .starting:
            _ = beginStopping()
            return Effects(outcome: outcome)
        case .running:
            return Effects(outcome: outcome, stopsTask: beginStopping())
        case .ended:
            return Effects(outcome: outcome)
        }
    }

    /// The platform wants to send the body again, on another connection than the one that was lost.
    ///
    /// It must not: now and then it takes the bytes and never sends them. The task is given up for a new one.
    package mutating func lostItsConnection() -> Effects {
        guard !isSettled, head == nil, stage == .starting || stage == .running else { return Effects() }
        let isNew = beginStopping()
        return Effects(stopsTask: isNew && stage == .running)
    }

    /// Whether the task may be cancelled now. A task that has ended is left alone.
    package var canStopTask: Bool { stage == .running && isStopping }

    /// Whether a redirect may be answered: not once cancelling has begun, that crashes (`linux.md` 0, rule 4).
    package var canAnswerRedirect: Bool { !isStopping }

    // MARK: What the session says

    /// A response's head has come: an interim one, one of several, or the one.
    ///
    /// - Returns: `true` in `startsBody` when what was received before is void.
    package mutating func responded(_ head: ResponseHead) -> (startsBody: Bool, effects: Effects) {
        guard !isSettled else { return (false, Effects()) }
        if head.statusCode == 101 { return (false, stop(.violation("status 101 although no upgrade was asked for"))) }
        guard head.statusCode >= 200 else { return (false, Effects()) }
        if isStreaming { return (false, stop(.violation("a second response inside the body of the first"))) }
        self.head = head
        received = 0
        if let fault = head.fault { return (false, stop(.violation(fault))) }
        if followsRedirects, head.isRedirect {
            isDraining = true
            return (true, Effects(outcome: settle(.success), drains: true))
        }
        if let coding = head.uncheckedCoding { return (false, stop(.unchecked(coding: coding))) }
        isStreaming = canStream && (200..<300).contains(head.statusCode)
        if !isStreaming, let length = head.bodyLength, length > limit { return (false, stop(.tooLarge(limit: limit))) }
        hasFreedPlace = isStreaming && !keepsPlace
        return (true, Effects(freesPlace: hasFreedPlace))
    }

    /// Bytes of the body have come.
    ///
    /// - Returns: whether to keep them.
    package mutating func receivedBytes(_ count: Int) -> (keeps: Bool, effects: Effects) {
        if isDraining {
            received += Int64(count)
            return (false, received > Self.drainLimit ? stopDraining() : Effects())
        }
        guard !isSettled, head != nil else { return (false, Effects()) }
        received += Int64(count)
        if !isStreaming, received > limit { return (false, stop(.tooLarge(limit: limit))) }
        return (true, Effects())
    }

    /// Drops the connection of a redirect whose body has not ended yet.
    package mutating func stopDraining() -> Effects {
        guard isDraining, stage == .starting || stage == .running else { return Effects() }
        let isNew = beginStopping()
        return Effects(stopsTask: isNew && stage == .running)
    }

    /// The session asked for a credential, was given none, and will now say "cancelled" (`linux.md` L2).
    package mutating func challenged() { isChallenged = true }

    /// The session is done with the task; nothing follows.
    ///
    /// - Parameter mustResend: whether the platform wanted to send the body again.
    package mutating func completed(
        withError hasError: Bool,
        sayingCancelled isCancelled: Bool = false,
        mustResend: Bool = false
    ) -> Effects {
        if mustResend, !isSettled, head == nil, startsLeft > 0 {
            startsLeft -= 1
            isStopping = false
            stage = .starting
            return Effects(startsAgain: true)
        }
        stage = .ended
        let isOnlyUnanswered = isChallenged && isCancelled && head != nil
        let outcome: Outcome =
            if hasError && !isOnlyUnanswered {
                .failed
            } else if let head {
                if let length = head.bodyLength, received < length { .truncated } else { .success }
            } else {
                .noResponse
            }
        return Effects(outcome: settle(outcome), freesPlace: !hasFreedPlace)
    }

    private mutating func beginStopping() -> Bool {
        defer { isStopping = true }
        return !isStopping
    }

    private mutating func settle(_ outcome: Outcome) -> Outcome? {
        guard !isSettled else { return nil }
        isSettled = true
        return outcome
    }
}
