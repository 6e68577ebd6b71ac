import CLibcurl
import NetworkEngine

/// The thread for a transport's open sockets. It starts with the first one.
final class CurlSocketThread: Sendable {
    private let library: CurlLibrary
    private let mailbox = CurlSocket.Mailbox(wake: { lc_watcher_wake($0) })
    private let worker: CurlWorker

    init(_ base: CurlSharedOptions, _ library: CurlLibrary) {
        self.library = library
        worker = CurlWorker { [mailbox] in
            while true {
                if let loop = CurlSocketLoop(base, mailbox: mailbox) { return loop.run() }
                if !Self.refuseAll(in: mailbox) { return }
            }
        }
    }

    deinit { shutDown() }

    /// Creates a socket, and starts the thread if necessary.
    func socket(for request: HTTPRequest, resolution: [UInt8]) throws(NetworkError) -> CurlSocket {
        guard library.closesSockets else {
            let fault = "WebSockets need libcurl 7.86 or newer, and this is \(library.version)"
            throw .unsupported(fault, request: request)
        }
        try worker.start()
        return CurlSocket(request, resolution: resolution, mailbox: mailbox, keeping: self)
    }

    /// Closes every socket and waits until the thread has ended, unless it is called on one of a transport's threads.
    func shutDown() {
        let (tell, orElse) = ({ [mailbox] in _ = mailbox.post(.shutDown) }, { [mailbox] in _ = mailbox.close() })
        CurlWorker.end([(worker, tell, orElse)])
    }

    /// Fails the waiting sockets while the system cannot provide an event loop, and pauses before the next try.
    ///
    /// - Returns: whether to continue.
    private static func refuseAll(in mailbox: CurlSocket.Mailbox) -> Bool {
        var commands: [CurlSocket.Command] = []
        mailbox.take(into: &commands)
        var isShuttingDown = false
        for command in commands {
            if case .shutDown = command { isShuttingDown = true }
        }
        if isShuttingDown { commands += mailbox.close() }
        for case .connect(let socket) in commands {
            socket.fail(
                isShuttingDown ? .socketsShutDown : .lacksDescriptors)
        }
        if !isShuttingDown { lc_thread_pause(20) }
        return !isShuttingDown
    }
}
