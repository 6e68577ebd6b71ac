import NetworkEngine

/// Drives one exchange through an event loop of a transport.
final class CurlTask: ExchangeDriver {
    /// Commands from other threads to the loop.
    enum Command: Sendable {
        case start(CurlAdmission)
        /// The exchange is over. The loop releases its handle.
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
    private let threads: CurlThreads

    init(_ exchange: Exchange, request: CurlRequest, upload: CurlUpload?, threads: CurlThreads) {
        self.exchange = exchange
        self.request = request
        self.upload = upload
        self.threads = threads
    }

    func start() {
        let gate = threads.common.gate
        switch gate.enter(self, host: request.origin, rank: exchange.context.rank) {
        case .admitted(let permit): _ = admitted(permit)
        case .closed, .full: abort(.shutDown)
        case .queued(let permit):
            exchange.withPosition { $0.permit = permit }
            // If the exchange was aborted in the meantime, the request no longer waits.
            if exchange.isOver { gate.withdraw(permit) }
        }
    }

    func stop() {
        if let permit = exchange.position.permit { threads.common.gate.withdraw(permit) }
        tell(.stop(self))
    }

    func continueReceiving() { tell(.continueReceiving(self)) }

    /// Starts to read a streamed request body.
    func startUpload() {
        upload?.start { [self] in tell(.continueSending(self)) }
    }

    /// The next loop that runs; `nil` if there is no other.
    func runningLoop(after loop: Int) -> Int? { threads.runningLoop(after: loop) }

    /// Moves the exchange to another loop, which starts it.
    ///
    /// - Returns: whether that loop takes it.
    func move(to other: Int, from loop: Int, _ admission: CurlAdmission) -> Bool {
        threads.common.move(self, from: loop, to: other)
        exchange.withPosition { ($0.loop, $0.slot) = (other, nil) }
        return threads.common.mailboxes[other].post(.start(admission))
    }

    /// Sends a command to the loop of the exchange, if it has one.
    private func tell(_ command: Command) {
        guard let loop = exchange.position.loop else { return }
        _ = threads.common.mailboxes[loop].post(command)
    }
}

extension CurlTask: AdmissionWaiter {
    func willWait() { exchange.context.queued() }

    func admitted(_ permit: Permit) -> Bool {
        let loop = threads.loop(for: self)
        exchange.withPosition { $0.loop = loop }
        // The loop returns the permit of an exchange that is over.
        if threads.common.mailboxes[loop].post(.start(CurlAdmission(task: self, permit: permit))) { return true }
        abort(.shutDown)
        return false
    }

    func turnedAway() { abort(.shutDown) }
}

/// An exchange that has a permit and is not started yet.
struct CurlAdmission: Sendable {
    var task: CurlTask
    var permit: Permit
    /// The route of an exchange that starts again.
    var route: CurlRoute?
    var launches = 0
}
