import CLibcurl
import NetworkEngine

/// The thread of a transport. It starts with the first request and ends with `shutDown()`.
final class CurlThread: Sendable {
    private enum Stage {
        case notYet
        case running(LCThread)
        case over
    }

    private let configuration: CurlConfiguration
    private let base: CurlSharedOptions
    let mailbox = CurlTask.Mailbox()
    private let stage = Locked(Stage.notYet)

    init(_ configuration: CurlConfiguration, _ library: CurlLibrary) throws(NetworkError) {
        self.configuration = configuration
        base = try CurlSharedOptions(configuration, library)
    }

    deinit { shutDown() }

    var decodes: Bool { base.decodes }

    /// Starts the thread if necessary, unless it was shut down.
    func start() throws(NetworkError) {
        let failure = stage.withLock { stage -> Int32 in
            guard case .notYet = stage else { return 0 }
            var thread = LCThread()
            let work = Unmanaged.passRetained(Work(configuration, base, mailbox))
            let code = lc_thread_start(&thread, { CurlThread.run($0) }, work.toOpaque())
            if code == 0 { stage = .running(thread) } else { work.release() }
            return code
        }
        guard failure == 0 else { throw NetworkError(kind: .transport, reason: "no thread could be made (\(failure))") }
    }

    /// Ends every exchange and waits for the end of the thread, unless it is called on that thread.
    func shutDown() {
        let old = stage.withLock { stage in
            defer { stage = .over }
            return stage
        }
        switch old {
        case .notYet: _ = mailbox.close()
        // The mailbox belongs to the thread that is being ended: closing it would drop what the thread has not read.
        case .over: break
        case .running(let thread): end(thread)
        }
    }

    private func end(_ thread: LCThread) {
        _ = mailbox.post(.shutDown)
        if lc_thread_is_current(thread) != 0 { lc_thread_detach(thread) } else { lc_thread_join(thread) }
    }

    private static func run(_ context: UnsafeMutableRawPointer?) {
        guard let context else { return }
        let work = Unmanaged<Work>.fromOpaque(context).takeRetainedValue()
        while true {
            if var loop = CurlLoop(work.configuration, base: work.base, mailbox: work.mailbox) {
                if loop.run() == .shutDown { return }
            } else if !refuseAll(in: work.mailbox) {
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
        let reason: AbortReason =
            isShuttingDown ? .shutDown : .loopFailed("descriptors or memory are short")
        for case .start(let task) in commands { task.exchange.abort(reason)?.run() }
        if !isShuttingDown { lc_thread_pause(20) }
        return !isShuttingDown
    }

    private final class Work: Sendable {
        let configuration: CurlConfiguration
        let base: CurlSharedOptions
        let mailbox: CurlTask.Mailbox

        init(_ configuration: CurlConfiguration, _ base: CurlSharedOptions, _ mailbox: CurlTask.Mailbox) {
            self.configuration = configuration
            self.base = base
            self.mailbox = mailbox
        }
    }
}

extension AbortReason {
    /// The event loop failed, because of the system.
    static func loopFailed(_ reason: String) -> AbortReason {
        .lost("the transport's event loop failed and was made again: \(reason)")
    }
}
