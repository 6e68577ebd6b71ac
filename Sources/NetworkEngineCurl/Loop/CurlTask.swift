import NetworkEngine

/// Performs one exchange on a transport's event loop.
final class CurlTask: ExchangeDriver {
    /// Commands from other threads to the loop.
    enum Command: Sendable {
        case start(CurlAdmission)
        /// The exchange has ended. The loop releases its handle.
        case stop(CurlTask)
        /// More request body bytes are available.
        case continueSending(CurlTask)
        /// The response body's reader has space again.
        case continueReceiving(CurlTask)
        case shutDown
    }

    typealias Mailbox = CurlMailbox<Command>

    let exchange: Exchange
    let request: CurlRequest
    let upload: CurlUpload?
    /// Retained until the exchange has ended: releasing a transport does not cancel requests.
    private let loops: any CurlLoops
    /// Whether HTTP/2 is offered.
    private let mayMultiplex: Bool

    init(_ exchange: Exchange, request: CurlRequest, upload: CurlUpload?, mayMultiplex: Bool, loops: any CurlLoops) {
        self.exchange = exchange
        self.request = request
        self.upload = upload
        self.mayMultiplex = mayMultiplex
        self.loops = loops
    }

    func start() {
        let gate = loops.common.gate
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
        if let permit = exchange.position.permit {
            loops.common.gate.withdraw(permit, isLate: exchange.context.isLate)
        }
        tell(.stop(self))
    }

    func continueReceiving() { tell(.continueReceiving(self)) }

    /// Starts reading a streamed request body.
    func startUpload() {
        upload?.start { [self] in tell(.continueSending(self)) }
    }

    /// Another running loop; `nil` if there is none.
    func runningLoop(after loop: Int) -> Int? {
        let count = loops.mailboxes.count
        return (1..<count).lazy.map { (loop + $0) % count }
            .first { self.loops.isRunning($0) && self.loops.common.isUsable($0) }
    }

    /// Moves the exchange to another loop, which starts it.
    ///
    /// - Returns: whether that loop accepts it.
    func move(to other: Int, from loop: Int, _ admission: CurlAdmission) -> Bool {
        loops.common.move(request, from: loop, to: other)
        exchange.withPosition { ($0.loop, $0.slot) = (other, nil) }
        return loops.mailboxes[other].post(.start(admission))
    }

    /// Sends a command to the exchange's loop, if it has one.
    private func tell(_ command: Command) {
        guard let loop = exchange.position.loop else { return }
        _ = loops.mailboxes[loop].post(command)
    }
}

extension CurlTask: AdmissionWaiter {
    func willWait() { exchange.context.queued() }

    func admitted(_ permit: Permit) -> Bool {
        let loop = chooseLoop()
        exchange.withPosition { $0.loop = loop }
        // The loop returns the permit of a finished exchange.
        if loops.mailboxes[loop].post(.start(CurlAdmission(task: self, permit: permit))) { return true }
        abort(.shutDown)
        return false
    }

    func turnedAway() { abort(.shutDown) }

    private func chooseLoop() -> Int {
        let loop = loops.common.enter(request, mayMultiplex: mayMultiplex)
        if loop == 0 || loops.start(loop) { return loop }
        // A loop without a thread leaves its work to the first one.
        loops.common.move(request, from: loop, to: 0)
        return 0
    }
}

/// A transport's event loops, each with its thread.
protocol CurlLoops: AnyObject, Sendable {
    var common: CurlCommon { get }
    var mailboxes: [CurlTask.Mailbox] { get }

    /// Starts a loop's thread if necessary.
    ///
    /// - Returns: whether it is running.
    func start(_ loop: Int) -> Bool
    func isRunning(_ loop: Int) -> Bool
}

/// An exchange that has a permit but is not started yet.
struct CurlAdmission: Sendable {
    var task: CurlTask
    var permit: Permit
    /// The route of a restarted exchange.
    var route: CurlRoute?
    var launches = 0
}
