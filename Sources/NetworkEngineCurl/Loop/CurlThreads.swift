import NetworkEngine

/// A transport's threads. The first starts with the first request, the others when there is work for them. They end
/// with `shutDown()`.
final class CurlThreads: CurlLoops {
    let common: CurlCommon
    let mailboxes: [CurlTask.Mailbox]
    let decodes: Bool
    private let base: CurlSharedOptions
    private let workers: [CurlWorker]

    init(_ configuration: CurlConfiguration, _ base: CurlSharedOptions) {
        decodes = base.decodes
        self.base = base
        let common = CurlCommon(configuration)
        self.common = common
        let mailboxes = (0..<configuration.usableThreads).map { _ in CurlTask.Mailbox() }
        self.mailboxes = mailboxes
        workers = mailboxes.enumerated().map { number, mailbox in
            CurlWorker { CurlThread.run(base, common, mailbox, number: number) }
        }
    }

    deinit { shutDown() }

    /// Whether the threads were shut down.
    var isShutDown: Bool { common.gate.isClosed }

    /// Starts the first thread if necessary. Throws if the threads were shut down.
    func start() throws(NetworkError) { try workers.first?.start() }

    func start(_ loop: Int) -> Bool { (try? workers[loop].start()) != nil }

    func isRunning(_ loop: Int) -> Bool { workers[loop].isRunning }

    /// Throws if libcurl cannot load the policy's certificates and keys.
    func rehearse() throws(NetworkError) { try base.rehearse() }

    func mayMultiplex(_ request: CurlRequest, _ upload: CurlUpload?) -> Bool { base.sharesConnections(request, upload) }

    /// Ends every exchange and waits until the threads have ended, unless it is called on one of a transport's threads.
    ///
    /// The mailbox belongs to a running thread: closing it would drop unread commands.
    func shutDown() {
        common.gate.close()
        CurlWorker.end(
            zip(workers, mailboxes).map { worker, mailbox in
                (worker, tell: { _ = mailbox.post(.shutDown) }, orElse: { _ = mailbox.close() })
            })
    }
}
