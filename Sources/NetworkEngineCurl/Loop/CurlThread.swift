import CLibcurl
import NetworkEngine

/// The thread of a transport. It starts with the first request and ends with `shutDown()`.
final class CurlThread: Sendable {
    let mailbox = CurlTask.Mailbox()
    let decodes: Bool
    private let worker: CurlWorker

    init(_ configuration: CurlConfiguration, _ base: CurlSharedOptions) {
        decodes = base.decodes
        worker = CurlWorker { [mailbox] in Self.run(configuration, base, mailbox) }
    }

    deinit { shutDown() }

    /// Whether the thread was shut down.
    var isShutDown: Bool { worker.isOver }

    /// Starts the thread if necessary. Throws if it was shut down.
    func start() throws(NetworkError) { try worker.start() }

    /// Ends every exchange and waits for the end of the thread, unless it is called on that thread.
    ///
    /// The mailbox belongs to a running thread: closing it would drop what the thread has not read.
    func shutDown() { worker.end({ _ = mailbox.post(.shutDown) }, orElse: { _ = mailbox.close() }) }

    private static func run(
        _ configuration: CurlConfiguration,
        _ base: CurlSharedOptions,
        _ mailbox: CurlTask.Mailbox
    ) {
        while true {
            if var loop = CurlLoop(configuration, base: base, mailbox: mailbox) {
                if loop.run() == .shutDown { return }
            } else if !refuseAll(in: mailbox) {
                return
            }
        }
    }

    /// Ends the waiting exchanges while the system provides no event loop, and pauses before the next try.
    ///
    /// - Returns: whether to continue.
    private static func refuseAll(in mailbox: CurlTask.Mailbox) -> Bool {
        var commands: [CurlTask.Command] = []
        var isShuttingDown = false
        mailbox.take(into: &commands)
        for command in commands {
            if case .shutDown = command { isShuttingDown = true }
        }
        if isShuttingDown { commands += mailbox.close() }
        let reason: AbortReason = isShuttingDown ? .shutDown : .lacksDescriptors
        for case .start(let task) in commands { task.exchange.abort(reason)?.run() }
        if !isShuttingDown { lc_thread_pause(20) }
        return !isShuttingDown
    }
}

extension AbortReason {
    /// The event loop failed, because of the system.
    static func loopFailed(_ reason: String) -> AbortReason {
        .lost("the transport's event loop failed and was made again: \(reason)")
    }
}
