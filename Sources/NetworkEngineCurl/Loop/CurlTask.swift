import NetworkEngine

/// Drives one exchange through the event loop of a transport.
final class CurlTask: ExchangeDriver {
    /// Commands from other threads to the loop.
    enum Command: Sendable {
        case start(CurlTask)
        /// The exchange is over. The loop releases its handle or its place in the queue.
        case stop(CurlTask)
        /// There are more bytes of the request's body.
        case continueSending(CurlTask)
        /// The reader of the response's body has room again.
        case continueReceiving(CurlTask)
        case shutDown
    }

    typealias Mailbox = CurlMailbox<Command>

    let exchange: Exchange
    let request: CurlRequest
    let upload: CurlUpload?
    /// Kept until the exchange has ended: releasing a transport does not cancel requests.
    private let owner: any AnyObject & Sendable
    private let mailbox: Mailbox

    init(
        _ exchange: Exchange,
        request: CurlRequest,
        upload: CurlUpload?,
        mailbox: Mailbox,
        keeping owner: any AnyObject & Sendable
    ) {
        self.exchange = exchange
        self.request = request
        self.upload = upload
        self.mailbox = mailbox
        self.owner = owner
    }

    func start() {
        if !mailbox.post(.start(self)) { abort(.shutDown) }
    }

    func stop() { _ = mailbox.post(.stop(self)) }

    func continueReceiving() { _ = mailbox.post(.continueReceiving(self)) }

    /// Starts to read a streamed request body.
    func startUpload() {
        upload?.start { [self] in _ = mailbox.post(.continueSending(self)) }
    }
}
