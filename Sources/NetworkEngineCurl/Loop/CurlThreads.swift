import NetworkEngine

/// The threads of a transport. The first starts with the first request, and each other one when there is work for it.
/// They end with `shutDown()`.
final class CurlThreads: Sendable {
    let decodes: Bool
    let common: CurlCommon
    private let workers: [CurlWorker]

    init(_ configuration: CurlConfiguration, _ base: CurlSharedOptions) {
        decodes = base.decodes
        let common = CurlCommon(configuration)
        self.common = common
        workers = common.mailboxes.indices.map { number in
            CurlWorker { CurlThread.run(configuration, base, common, number: number) }
        }
    }

    deinit { shutDown() }

    /// Whether the threads were shut down.
    var isShutDown: Bool { common.gate.isClosed }

    /// Starts the first thread if necessary. Throws if the threads were shut down.
    func start() throws(NetworkError) { try workers.first?.start() }

    /// Chooses the loop for an exchange, and starts its thread if necessary.
    func loop(for origin: String) -> Int {
        let loop = common.enter(origin: origin)
        // Without a thread of its own, the loop leaves its work to the first.
        guard loop > 0, (try? workers[loop].start()) == nil else { return loop }
        common.move(from: loop, to: 0)
        return 0
    }

    /// The next loop that runs; `nil` if there is no other.
    func runningLoop(after loop: Int) -> Int? {
        (1..<workers.count).lazy.map { (loop + $0) % self.workers.count }.first { self.workers[$0].isRunning }
    }

    /// Ends every exchange and waits for the ends of the threads, unless it is called on one of them.
    ///
    /// The mailbox belongs to a running thread: closing it would drop what the thread has not read.
    func shutDown() {
        common.gate.close()
        for (worker, mailbox) in zip(workers, common.mailboxes) {
            worker.end({ _ = mailbox.post(.shutDown) }, orElse: { _ = mailbox.close() })
        }
    }
}

/// What the loops of a transport have in common.
final class CurlCommon: Sendable {
    /// The permits of all loops.
    let gate: ConnectionLimiter
    let mailboxes: [CurlTask.Mailbox]
    private let balance: Locked<LoopBalance>?

    init(_ configuration: CurlConfiguration) {
        gate = ConnectionLimiter(perHost: configuration.requestsPerHost, total: configuration.requestsInAll)
        let count = configuration.usableThreads
        mailboxes = (0..<count).map { _ in CurlTask.Mailbox() }
        balance = count > 1 ? Locked(LoopBalance(loops: count, share: configuration.requestsUntilShared)) : nil
    }

    /// Chooses the loop for an exchange, which counts there from now on.
    func enter(origin: String) -> Int { balance?.withLock { $0.enter(origin: origin) } ?? 0 }

    func move(from old: Int, to new: Int) { balance?.withLock { $0.move(from: old, to: new) } }

    /// An origin has answered by HTTP/2.
    func keep(_ origin: String, on loop: Int) { balance?.withLock { $0.keep(origin, on: loop) } }

    /// Returns the permit of an exchange on a loop. The next in the queue starts.
    func leave(_ permit: Permit, of loop: Int) {
        balance?.withLock { $0.leave(loop) }
        gate.leave(permit)?.announce()
    }
}
