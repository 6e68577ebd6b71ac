import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request on its way through a session: asks the pure machine what an event means, and does it.
///
/// Two things are done under its lock, because they must not happen beside each other (`linux.md` 0, rules 3 and 4): the
/// task's one `cancel()`, and the answer to a redirect.
final class Exchange: Sendable {
    private let request: HTTPRequest
    private let context: TransportContext
    private let upload: UploadBody?
    private let file: BodyFile?
    private let session: SessionHandle
    private let gate: AdmissionGate
    private let progress: ExchangeProgress?
    /// Where the body goes when it is streamed.
    private let stream: StreamBuffer?
    private let state: Locked<ExchangeState>

    init(
        _ request: HTTPRequest,
        context: TransportContext,
        upload: UploadBody?,
        file: BodyFile?,
        session: SessionHandle,
        gate: AdmissionGate
    ) {
        self.request = request
        self.context = context
        self.upload = upload
        self.file = file
        self.session = session
        self.gate = gate
        progress = context.progress.map { ExchangeProgress(attempt: context.attempt, report: $0) }
        let limit = file == nil ? context.limits.bodyInMemory : context.limits.bodyInFile
        let canStream = context.destination == .stream
        stream = canStream ? StreamBuffer(fileLimit: context.limits.streamBacklog, context: context) : nil
        state = Locked(
            ExchangeState(
                limit: limit,
                canStream: canStream,
                keepsPlace: context.keepsPlace,
                followsRedirects: context.followsRedirects
            ))
    }

    /// Runs the exchange. Ends with the task that waits for it: at once, whatever the session still does.
    func response() async throws -> HTTPResponse {
        context.onInterruption { self.stop(.interrupted) }
        await withTaskCancellationHandler {
            await withCheckedContinuation { begin($0) }
        } onCancel: {
            stop(.cancelled)
        }
        if let head = state.withLock({ $0.streamedHead.take() }), let stream { return streamed(head, through: stream) }
        guard let ending = state.withLock({ $0.ending.take() }) else { preconditionFailure("Resumed without a result") }
        return try ending.result(of: request, upload: upload, file: file).get()
    }

    private func streamed(_ head: ResponseHead, through stream: StreamBuffer) -> HTTPResponse {
        let body = ResponseBody.stream(stream.stream(length: head.bodyLength))
        return HTTPResponse(statusCode: head.statusCode, headers: head.headers, body: body, request: request)
    }

    private func begin(_ waiter: CheckedContinuation<Void, Never>) {
        let mayEnter = state.withLock { state in
            let mayEnter = state.transfer.begin()
            if mayEnter { state.waiter = waiter }
            return mayEnter
        }
        // Stopped before it began: the ending is there.
        guard mayEnter else { return waiter.resume() }
        switch gate.enter(self, host: request.url.origin.text, rank: context.rank) {
        case .admitted(let ticket): admitted(ticket)
        case .closed: turnedAway()
        case .full(let limit): stop(.queueFull(limit: limit))
        case .queued(let ticket):
            carryOut { state in
                state.ticket = state.ticket ?? ticket
                return state.transfer.enqueued()
            }
        }
    }

    private func stop(_ reason: Transfer.StopReason) {
        carryOut { $0.transfer.stop(reason) }
    }
}

extension Exchange: AdmissionWaiter {
    func admitted(_ ticket: AdmissionQueue.Ticket) {
        let mayStart = state.withLock { state in
            state.ticket = ticket
            state.timing.admitted = .now
            return state.transfer.admitted()
        }
        guard mayStart else {
            gate.leave(ticket)?.announce()
            return
        }
        context.admitted()
        start()
    }

    private func start() {
        guard let task = session.makeTask(request.wire(with: upload), for: self) else {
            return carryOut { $0.transfer.couldNotStart() }
        }
        state.withLock { $0.task = task }
        task.resume()
        carryOut { $0.transfer.resumed() }
    }

    func turnedAway() { stop(.shutDown) }
}

extension Exchange: TaskEvents {
    var isForeign: Bool { request.marks?.isForeign == true }

    func responded(_ response: URLResponse) {
        context.reportActivity()
        guard let response = response as? HTTPURLResponse else {
            return stop(.notHTTP)
        }
        responded(ResponseHead(response, method: request.method))
    }

    private func responded(_ head: ResponseHead) {
        var isFinal = false
        var reader: CheckedContinuation<Void, Never>?
        carryOut { state in
            let (startsBody, effects) = state.transfer.responded(head)
            guard startsBody else { return effects }
            isFinal = true
            state.timing.noteFirstByte()
            state.body = Data()
            if state.transfer.isStreaming {
                state.streamedHead = head
                reader = state.waiter.take()
            }
            return effects
        }
        guard isFinal else { return }
        if let reader {
            stream?.connect(StreamBuffer.Source { self.stop(.cancelled) })
            reader.resume()
        }
        if let file { store { try file.truncate() } }
        if let upload { progress?.sent(upload.sent, of: upload.length) }
        // What a redirect or an error says is not what the caller waits for.
        if (200..<300).contains(head.statusCode) { progress?.received(0, of: head.bodyLength) }
    }

    func received(_ data: Data) {
        context.reportActivity()
        var keepsInFile = false
        var isStreamed = false
        var step: (count: Int64, total: Int64?) = (0, nil)
        var isWanted = false
        carryOut { state in
            let (keeps, effects) = state.transfer.receivedBytes(data.count)
            guard keeps else { return effects }
            step = (state.transfer.received, state.transfer.head?.bodyLength)
            isWanted = (200..<300).contains(state.transfer.head?.statusCode ?? 0)
            if state.transfer.isStreaming {
                isStreamed = true
            } else if file != nil {
                keepsInFile = true
            } else {
                state.body.accumulate(data, expecting: step.total)
            }
            return effects
        }
        if keepsInFile, let file { store { try file.write(data) } }
        if isStreamed, let stream { pass(data, to: stream) }
        if isWanted { progress?.received(step.count, of: step.total) }
    }

    func sent(_ count: Int64) {
        context.reportActivity()
        guard let upload else { return }
        upload.sessionSays(sent: count)
        progress?.sent(upload.sent, of: upload.length)
    }

    func redirected(answer: (URLRequest?) -> Void) {
        state.withLock { if $0.transfer.canAnswerRedirect { answer(nil) } }
    }

    func challenged() {
        state.withLock { $0.transfer.challenged() }
    }

    func refused(_ problem: TransportFailure.CertificateProblem) { stop(.certificate(problem)) }

    func completed(_ error: (any Error)?, response: URLResponse?) {
        // On Linux a redirect without a Location is not told of, and its body is dropped: the head of one to HEAD.
        if error == nil, let response = response as? HTTPURLResponse, state.withLock({ $0.transfer.head == nil }) {
            responded(ResponseHead(response, method: .head))
        }
        if error == nil, let progress {
            let received = state.withLock { state in
                let isWanted = (200..<300).contains(state.transfer.head?.statusCode ?? 0)
                return isWanted && !state.transfer.isSettled ? state.transfer.received : nil
            }
            if let received { progress.received(received, of: received, isLast: true) }
        }
        carryOut { state in
            state.timing.ended = .now
            state.problem = state.problem ?? error
            state.task = nil
            let isCancelled = (error as? URLError)?.code == .cancelled
            return state.transfer.completed(
                withError: error != nil,
                sayingCancelled: isCancelled,
                mustResend: upload?.takeWantedAgain() == true && request.mayHappenTwice
            )
        }
    }

    func newBodyStream() -> InputStream? {
        guard let upload else { return nil }
        if let stream = upload.makeStreamForResending() { return stream }
        Self.stopping.async {
            // The task may have ended meanwhile, and the next one have begun.
            self.carryOut { upload.isWantedAgain ? $0.transfer.lostItsConnection() : Transfer.Effects() }
        }
        return nil
    }

    func shutDown() { stop(.shutDown) }

    private func pass(_ data: Data, to stream: StreamBuffer) {
        // There is no way to slow the session down (`linux.md` 2): what the reader does not take waits on disk.
        store {
            if try stream.write(data) == .full { stop(.backlogFull(limit: context.limits.streamBacklog)) }
        }
    }

    private func store(_ action: () throws -> Void) {
        do {
            try action()
        } catch {
            state.withLock { $0.problem = error }
            stop(.cannotStore)
        }
    }
}

extension Exchange {
    /// Tells the machine of an event under the lock, and does what follows from it outside.
    private func carryOut(_ event: (inout ExchangeState) -> Transfer.Effects) {
        var waiter: CheckedContinuation<Void, Never>?
        var place: AdmissionQueue.Ticket?
        var streamEnding: ExchangeEnding?
        let effects = state.withLock { state in
            let effects = event(&state)
            place = state.ticket
            guard let outcome = effects.outcome else { return effects }
            let ending = state.takeEnding(outcome)
            if state.transfer.isStreaming { streamEnding = ending } else { state.ending = ending }
            waiter = state.waiter.take()
            return effects
        }
        if let streamEnding, let stream {
            stream.finish(streamEnding.result(of: request, upload: upload, file: nil).map { _ in })
            context.streamEnded()
        }
        if effects.leavesQueue, let place { gate.withdraw(place) }
        if effects.stopsTask { stopTask() }
        if effects.drains { stopDrainingLater() }
        // The place is free before the caller goes on, so that his next request finds it; a queued one starts after.
        let succession = effects.freesPlace ? place.flatMap(gate.leave) : nil
        waiter?.resume()
        succession?.announce()
        if effects.startsAgain { start() }
    }

    /// Cancels the task: never on the thread of whoever gave up, which may hold locks of the Swift runtime.
    private func stopTask() {
        Self.stopping.async {
            self.state.withLock { if $0.transfer.canStopTask { $0.task?.cancel() } }
        }
    }

    /// Drops the connection of a redirect if its body does not end soon.
    private func stopDrainingLater() {
        Self.stopping.asyncAfter(deadline: .now() + .milliseconds(250)) { [weak self] in
            self?.carryOut { $0.transfer.stopDraining() }
        }
    }

    private static let stopping = DispatchQueue(label: "NetworkEngine.URLSession.stopping")
}
