import Foundation
import NetworkEngine

/// One request on its way: what the task that waits and the loop's thread share.
///
/// Its end is decided on the loop's thread, in the order in which things come there, and nowhere else once it was posted.
final class CurlExchange: Sendable {
    /// Where the loop has it.
    enum Place {
        case nowhere
        case queued(AdmissionQueue.Ticket)
        case running(slot: Int)
    }

    /// What the loop is told.
    enum Command: Sendable {
        case start(CurlExchange)
        case stop(CurlExchange, CurlBreak)
        /// There is more to send of a body that comes piece by piece.
        case goOn(CurlExchange)
        /// Who reads its body has room again.
        case makeRoom(CurlExchange)
        case shutDown
    }

    typealias Mailbox = CurlMailbox<Command>

    private struct State {
        var waiter: CheckedContinuation<Void, Never>?
        /// Whether the loop will hear of it, or has.
        var isPosted = false
        /// Whether its end is there.
        var isOver = false
        /// Whether the response was handed over while its body is still coming.
        var isStreaming = false
        /// Kept until a stream has ended: dropping a transport cancels nothing.
        var owner: (any AnyObject & Sendable)?
        /// Who gave up before the loop knew of it.
        var early: CurlBreak?
        var place = Place.nowhere
        var ending: CurlEnding?
    }

    let request: HTTPRequest
    let context: TransportContext
    let wire: CurlRequest
    let upload: CurlUpload?
    let file: BodyFile?
    let progress: ExchangeProgress?
    /// Where the body goes when it is streamed.
    let stream: StreamBuffer?
    let handedOver = ContinuousClock.now
    private let mailbox: Mailbox
    private let state = Locked(State())

    init(
        _ request: HTTPRequest,
        context: TransportContext,
        wire: CurlRequest,
        upload: CurlUpload?,
        file: BodyFile?,
        mailbox: Mailbox
    ) {
        self.request = request
        self.context = context
        self.wire = wire
        self.upload = upload
        self.file = file
        self.mailbox = mailbox
        let canStream = context.destination == .stream
        stream = canStream ? StreamBuffer(fileLimit: 0, context: context) : nil
        progress = context.progress.map { ExchangeProgress(attempt: context.attempt, report: $0) }
    }

    // MARK: The task

    /// Runs the exchange.
    ///
    /// The continuation is a checked one although `Locked` makes sure of what that checks: it is resumed inside the
    /// library, where ThreadSanitizer does not take one that is resumed before its task has suspended for a race. It is
    /// empty-handed for the same reason.
    ///
    /// - Parameter owner: is kept until a streamed body has ended.
    func response(keeping owner: any AnyObject & Sendable) async throws -> HTTPResponse {
        context.onInterruption { self.stop(.interrupted) }
        await withTaskCancellationHandler {
            await withCheckedContinuation { begin($0) }
        } onCancel: {
            stop(.cancelled)
        }
        guard let ending = state.withLock({ $0.ending.take() }) else { preconditionFailure("Resumed without a result") }
        if ending.isStreaming { state.withLock { if !$0.isOver { $0.owner = owner } } }
        let body = ending.isStreaming ? stream : nil
        return try ending.result(of: request, upload: upload, file: file, stream: body).get()
    }

    private func begin(_ waiter: CheckedContinuation<Void, Never>) {
        let early = state.withLock { state in
            state.waiter = waiter
            state.isPosted = true
            return state.early
        }
        if let early {
            finish(CurlEnding(outcome: .broken(early, during: .queue)))
        } else if !mailbox.post(.start(self)) {
            finish(CurlEnding(outcome: .broken(.shutDown, during: .queue)))
        }
    }

    /// Gives the exchange up. Nothing is resumed here: this may run under a lock of the Swift runtime.
    private func stop(_ reason: CurlBreak) {
        let isPosted = state.withLock { state in
            guard !state.isOver else { return false }
            if !state.isPosted { state.early = state.early ?? reason }
            return state.isPosted
        }
        if isPosted { _ = mailbox.post(.stop(self, reason)) }
    }

    // MARK: The loop

    var place: Place { state.withLock { $0.place } }

    /// Notes who gave up before it was begun.
    func noteEarly(_ reason: CurlBreak) { state.withLock { $0.early = $0.early ?? reason } }

    /// Notes where it is from now on, unless somebody gave up before.
    ///
    /// - Returns: who did.
    func move(to place: Place) -> CurlBreak? {
        state.withLock { state in
            if state.early == nil { state.place = place }
            return state.early
        }
    }

    /// It is on the wire now: what is sent while it comes is to come.
    ///
    /// - Returns: whether there is such a body.
    func startUpload() -> Bool {
        upload?.start { [self] in _ = mailbox.post(.goOn(self)) } ?? false
    }

    /// Wakes its task with the head of a response whose body is still coming.
    func beginStreaming(_ head: CurlEnding) {
        stream?.connect(
            StreamBuffer.Source(
                onRoom: { [self] in _ = mailbox.post(.makeRoom(self)) },
                onAbandoned: { [self] in stop(.cancelled) }
            )
        )
        let waiter = state.withLock { state in
            state.isStreaming = true
            state.ending = head
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// Ends it once, and wakes its task, or ends the stream of its body.
    func finish(_ ending: CurlEnding) {
        var owner: (any AnyObject & Sendable)?
        let (waiter, wasStreaming) = state.withLock { state -> (CheckedContinuation<Void, Never>?, Bool) in
            guard !state.isOver else { return (nil, false) }
            state.isOver = true
            state.place = .nowhere
            owner = state.owner.take()
            if !state.isStreaming { state.ending = ending }
            return (state.waiter.take(), state.isStreaming)
        }
        defer { withExtendedLifetime(owner) {} }
        upload?.stop()
        waiter?.resume()
        guard wasStreaming, let stream else { return }
        stream.finish(ending.result(of: request, upload: upload, file: nil, stream: nil).map { _ in })
        context.streamEnded()
    }
}
