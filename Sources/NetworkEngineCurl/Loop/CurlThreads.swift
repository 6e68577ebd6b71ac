import NetworkEngine

/// The threads of a transport. The first starts with the first request, and each other one when there is work for it.
/// They end with `shutDown()`.
final class CurlThreads: Sendable {
    let decodes: Bool
    let common: CurlCommon
    private let base: CurlSharedOptions
    private let workers: [CurlWorker]

    init(_ configuration: CurlConfiguration, _ base: CurlSharedOptions) {
        decodes = base.decodes
        self.base = base
        let common = CurlCommon(configuration)
        self.common = common
        workers = common.mailboxes.indices.map { number in
            CurlWorker { CurlThread.run(base, common, number: number) }
        }
    }

    deinit { shutDown() }

    /// Whether the threads were shut down.
    var isShutDown: Bool { common.gate.isClosed }

    /// Starts the first thread if necessary. Throws if the threads were shut down.
    func start() throws(NetworkError) { try workers.first?.start() }

    /// Chooses the loop for an exchange, and starts its thread if necessary.
    func loop(for task: CurlTask) -> Int {
        let loop = common.enter(task, mayMultiplex: base.sharesConnections(task.request, task.upload))
        // Without a thread of its own, the loop leaves its work to the first.
        guard loop > 0, (try? workers[loop].start()) == nil else { return loop }
        common.move(task, from: loop, to: 0)
        return 0
    }

    /// The next loop that runs; `nil` if there is no other.
    func runningLoop(after loop: Int) -> Int? {
        (1..<workers.count).lazy.map { (loop + $0) % self.workers.count }
            .first { self.workers[$0].isRunning && self.common.isUsable($0) }
    }

    /// Ends every exchange and waits for the ends of the threads, unless it is called on a thread of a transport.
    ///
    /// The mailbox belongs to a running thread: closing it would drop what the thread has not read.
    func shutDown() {
        common.gate.close()
        CurlWorker.end(
            zip(workers, common.mailboxes).map { worker, mailbox in
                (worker, tell: { _ = mailbox.post(.shutDown) }, orElse: { _ = mailbox.close() })
            })
    }
}

/// What the loops of a transport have in common.
final class CurlCommon: Sendable {
    /// The permits of all loops.
    let gate: ConnectionLimiter
    let mailboxes: [CurlTask.Mailbox]
    /// `nil` for one loop.
    private let balance: Locked<LoopBalance>?

    init(_ configuration: CurlConfiguration) {
        gate = ConnectionLimiter(perHost: configuration.requestsPerHost, total: configuration.requestsInAll)
        let count = configuration.usableThreads
        mailboxes = (0..<count).map { _ in CurlTask.Mailbox() }
        balance = count > 1 ? Locked(LoopBalance(loops: count, share: configuration.requestsUntilShared)) : nil
    }

    /// Chooses the loop for an exchange, which counts there from now on.
    func enter(_ task: CurlTask, mayMultiplex: Bool) -> Int {
        balance?.withLock { $0.enter(origin: task.request.origin, mayMultiplex: mayMultiplex) } ?? 0
    }

    func move(_ task: CurlTask, from old: Int, to new: Int) {
        balance?.withLock { $0.move(from: old, to: new, origin: task.request.origin) }
    }

    /// An exchange no longer counts on its loop.
    func ended(_ task: CurlTask, on loop: Int) { balance?.withLock { $0.leave(loop, origin: task.request.origin) } }

    /// An origin to which HTTP/2 was offered has answered by HTTP/1.1.
    func spread(_ origin: String) { balance?.withLock { $0.spread(origin) } }

    func setUsable(_ loop: Int, _ isUsable: Bool) { balance?.withLock { $0.setUsable(loop, isUsable) } }

    func isUsable(_ loop: Int) -> Bool { balance?.withLock { $0.isUsable(loop) } ?? true }
}
