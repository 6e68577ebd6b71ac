import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Drives one exchange through a session task.
///
/// Its lock guards two operations that crash on Linux if they happen at the same time: the task's only `cancel()`, and
/// the answer to a redirect.
final class SessionTask: ExchangeDriver {
    private struct State {
        var lifecycle = TaskLifecycle()
        var task: URLSessionDataTask?
        var permit: Permit?
        var metrics: ExchangeMetrics?
    }

    let exchange: Exchange
    private let upload: UploadBody?
    private let session: SessionHandle
    private let gate: ConnectionLimiter
    private let state = Locked(State())

    init(_ exchange: Exchange, upload: UploadBody?, session: SessionHandle, gate: ConnectionLimiter) {
        self.exchange = exchange
        self.upload = upload
        self.session = session
        self.gate = gate
    }

    func start() {
        switch gate.enter(self, host: exchange.request.url.origin.text, rank: exchange.context.rank) {
        case .admitted(let permit): if !admitted(permit) { gate.leave(permit)?.announce() }
        case .closed: abort(.shutDown)
        case .full(let limit): abort(.queueFull(limit: limit))
        case .queued(let permit):
            exchange.withPosition { $0.permit = permit }
            // If the exchange was aborted in the meantime, the request no longer waits.
            if exchange.isOver { gate.withdraw(permit) }
        }
    }

    func stop() {
        if let permit = exchange.position.permit { gate.withdraw(permit, isLate: exchange.context.isLate) }
        cancelTask { $0.stop() }
    }

    /// The session cannot be slowed down: unread bytes are buffered on disk.
    func continueReceiving() {}

    /// Cancels the task on another thread than the caller's, which may hold locks of the Swift runtime.
    private func cancelTask(_ event: (inout TaskLifecycle) -> Bool) {
        guard state.withLock({ event(&$0.lifecycle) }) else { return }
        Self.stopping.async {
            self.state.withLock { if $0.lifecycle.mayCancel { $0.task?.cancel() } }
        }
    }

    private static let stopping = DispatchQueue(label: "NetworkEngine.URLSession.stopping")
}

extension SessionTask: AdmissionWaiter {
    func willWait() { exchange.context.queued() }

    func admitted(_ permit: Permit) -> Bool {
        guard exchange.admit() != .refused else { return false }
        // The session does not report when it has a connection: from here on, bytes of the request may be sent.
        let instruction = exchange.send()
        instruction.completion?.run()
        guard instruction.flow != .stop else { return false }
        state.withLock { $0.permit = permit }
        session.starting.async { self.startTask() }
        return true
    }

    func turnedAway() { abort(.shutDown) }

    /// Starts a task, unless the exchange was aborted or the user has signed out in the meantime.
    private func startTask() {
        let instruction = exchange.send()
        if instruction.flow == .stop { returnPermit(then: instruction.completion) } else { resumeTask() }
    }

    private func resumeTask() {
        let request = exchange.request.wire(with: upload) { [weak self] in self?.abort(.cannotRead) }
        guard let task = session.makeTask(request, for: self) else {
            let completion = exchange.abort(.shutDown)
            return returnPermit(then: completion)
        }
        state.withLock { $0.task = task }
        if mayHoldHeadBack { exchange.context.headIsHeldBack() }
        task.resume()
        cancelTask { $0.resumed() }
    }

    /// Whether a quiet stream can be mistaken for a server that does not respond.
    private var mayHoldHeadBack: Bool {
        URLSession.holdsHeadsBack && exchange.context.streamsBody && !exchange.context.keepsPermit
    }

    /// Returns the permit before the caller continues, so that it is available to the caller's next request. A queued
    /// request starts after that.
    private func returnPermit(then completion: Exchange.Completion?) {
        exchange.endDeparture()
        let successor = state.withLock { $0.permit.take() }.flatMap(gate.leave)
        completion?.run()
        successor?.announce()
    }
}

extension SessionTask: TaskEvents {
    var isForeign: Bool { exchange.request.secrets?.isForeign == true }

    func responded(_ response: URLResponse) {
        if mayHoldHeadBack { exchange.context.headArrived() } else { exchange.context.reportActivity() }
        guard let response = response as? HTTPURLResponse else { return abort(.notHTTP) }
        responded(ResponseHead(response, method: exchange.request.method))
    }

    private func responded(_ head: ResponseHead) {
        let instruction = receive(head)
        switch instruction.action {
        case .stream where !exchange.context.keepsPermit: return returnPermit(then: instruction.completion)
        case .drain: stopDrainingLater()
        case .abort: stop()
        case .ignore, .collect, .stream: break
        }
        instruction.completion?.run()
    }

    func received(_ data: Data) {
        exchange.context.reportActivity()
        let instruction = exchange.receive(data)
        if instruction.flow == .stop { cancelTask { $0.stop() } }
        instruction.completion?.run()
    }

    func sent(_ count: Int64) {
        exchange.context.reportActivity()
        guard let upload else { return }
        upload.sessionSays(sent: count)
        exchange.sent(upload.sent, of: upload.length)
    }

    func redirected(answer: (URLRequest?) -> Void) {
        state.withLock { if $0.lifecycle.mayAnswerRedirect { answer(nil) } }
    }

    func challenged() { state.withLock { $0.lifecycle.challenged() } }

    func refused(_ problem: TransportFailure.CertificateProblem) {
        abort(.certificate(problem, "the server's certificate was not accepted: \(problem)"))
    }

    func measured(_ metrics: URLSessionTaskMetrics) { state.withLock { $0.metrics = ExchangeMetrics(of: metrics) } }

    func completed(_ error: (any Error)?, response: URLResponse?) {
        // On Linux a redirect without a Location is not reported, and its body is dropped, like the response to a HEAD.
        if error == nil, !exchange.hasHead, let response = response as? HTTPURLResponse {
            responded(ResponseHead(response, method: .head))
        }
        let (startsAgain, isUnanswered) = state.withLock { state in
            state.task = nil
            let mustResend = upload?.takeWantedAgain() == true && exchange.request.isRepeatable
            let startsAgain = mustResend && !exchange.isOver && !exchange.hasHead && state.lifecycle.startAgain()
            if !startsAgain { state.lifecycle.ended() }
            return (startsAgain, state.lifecycle.isChallenged && (error as? URLError)?.code == .cancelled)
        }
        if startsAgain { return startTask() }
        let hasFailed = error != nil && !(isUnanswered && exchange.hasHead)
        let metrics = state.withLock { $0.metrics }
        let completion =
            hasFailed
            ? exchange.fail(metrics: metrics) { SessionFailure.error(error, hasHead: $0) }
            : exchange.end(metrics: metrics)
        returnPermit(then: completion)
    }

    func newBodyStream() -> InputStream? {
        guard let upload else { return nil }
        if let stream = upload.makeStreamForResending(orFail: { [weak self] in self?.abort(.cannotRead) }) {
            return stream
        }
        // The platform lost its connection and would resend the body on another. Occasionally it takes the bytes and
        // never sends them, so the task is canceled and replaced.
        Self.stopping.async {
            self.cancelTask { lifecycle in
                // The task may have ended in the meantime, and the next one may have started.
                upload.isWantedAgain && !self.exchange.isOver && !self.exchange.hasHead && lifecycle.stop()
            }
        }
        return nil
    }

    func shutDown() { abort(.shutDown) }

    /// Drops the connection of a redirect if its body does not end soon.
    private func stopDrainingLater() {
        Self.stopping.asyncAfter(deadline: .now() + .milliseconds(250)) { [weak self] in
            self?.cancelTask { $0.stop() }
        }
    }
}
