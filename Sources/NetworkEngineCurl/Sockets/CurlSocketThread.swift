import CLibcurl
import NetworkEngine

/// The thread for the open sockets of a transport. It starts with the first of them.
final class CurlSocketThread: Sendable {
    private let mailbox = CurlSocket.Mailbox(wake: { lc_multi_wake($0) })
    private let worker: CurlWorker

    init(_ base: CurlSharedOptions) {
        worker = CurlWorker { [mailbox] in
            guard let loop = CurlSocketLoop(base, mailbox: mailbox) else { return Self.refuseAll(in: mailbox) }
            loop.run()
        }
    }

    deinit { shutDown() }

    /// Makes a socket, and starts the thread if necessary.
    func socket(for request: HTTPRequest) throws(NetworkError) -> CurlSocket {
        try worker.start()
        return CurlSocket(request, mailbox: mailbox, keeping: self)
    }

    /// Closes every socket and waits for the end of the thread, unless it is called on that thread.
    func shutDown() { worker.end({ _ = mailbox.post(.shutDown) }, orElse: { _ = mailbox.close() }) }

    private static func refuseAll(in mailbox: CurlSocket.Mailbox) {
        for command in mailbox.close() {
            switch command {
            case .connect(let socket), .attend(let socket):
                socket.fail(NetworkError(.connect, reason: "descriptors or memory are short"))
            case .shutDown: break
            }
        }
    }
}
