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
        case shutDown
    }

    typealias Mailbox = CurlMailbox<Command>

    private struct State {
        var waiter: UnsafeContinuation<Void, Never>?
        /// Who gave up before the loop knew of it.
        var early: CurlBreak?
        var place = Place.nowhere
        var ending: CurlEnding?
    }

    let request: HTTPRequest
    let context: TransportContext
    let wire: CurlWire
    let upload: UploadBody?
    let file: BodyFile?
    let progress: ExchangeProgress?
    let handedOver = ContinuousClock.now
    private let mailbox: Mailbox
    private let state = Locked(State())

    init(
        _ request: HTTPRequest,
        context: TransportContext,
        wire: CurlWire,
        upload: UploadBody?,
        file: BodyFile?,
        mailbox: Mailbox
    ) {
        self.request = request
        self.context = context
        self.wire = wire
        self.upload = upload
        self.file = file
        self.mailbox = mailbox
        progress = context.progress.map { ExchangeProgress(attempt: context.attempt, report: $0) }
    }

    // MARK: The task

    /// Runs the exchange.
    ///
    /// The continuation is unchecked, since `Locked` makes sure of what a checked one would check; and empty-handed,
    /// because ThreadSanitizer takes what one carries for a race when it is resumed before its task has suspended.
    func response() async throws -> HTTPResponse {
        context.onInterruption { self.stop(.interrupted) }
        await withTaskCancellationHandler {
            await withUnsafeContinuation { begin($0) }
        } onCancel: {
            stop(.cancelled)
        }
        guard let ending = state.withLock({ $0.ending.take() }) else { preconditionFailure("Nobody wakes without one") }
        return try ending.result(of: request, upload: upload, file: file).get()
    }

    private func begin(_ waiter: UnsafeContinuation<Void, Never>) {
        let early = state.withLock { state in
            state.waiter = waiter
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
            guard state.ending == nil else { return false }
            if state.waiter == nil { state.early = state.early ?? reason }
            return state.waiter != nil
        }
        if isPosted { _ = mailbox.post(.stop(self, reason)) }
    }

    // MARK: The loop

    var place: Place {
        get { state.withLock { $0.place } }
        set { state.withLock { $0.place = newValue } }
    }

    /// Notes who gave up before the start was read.
    func noteEarly(_ reason: CurlBreak) { state.withLock { $0.early = $0.early ?? reason } }

    /// Who gave up before the start was read.
    var early: CurlBreak? { state.withLock { $0.early } }

    /// Ends it and wakes its task, once.
    func finish(_ ending: CurlEnding) {
        let waiter = state.withLock { state -> UnsafeContinuation<Void, Never>? in
            state.place = .nowhere
            guard let waiter = state.waiter.take() else { return nil }
            state.ending = ending
            return waiter
        }
        waiter?.resume()
    }
}
