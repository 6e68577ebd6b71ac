import CLibcurl
import Foundation
import NetworkEngine

/// What the callbacks of libcurl leave for the loop to do.
final class CurlAgenda {
    /// The slots whose bodies are to be decoded further when others have had their turn.
    var resting: [Int] = []
    /// The slots that receive the rest of a redirect's body, and when they stop.
    var draining: [(number: Int, exchange: CurlExchange, end: ContinuousClock.Instant)] = []
    /// The places of those who have given their responses away.
    var freed: [AdmissionQueue.Ticket] = []
    /// The slots that have handed bytes to the system which may not have arrived yet.
    var sending: Set<Int> = []
    /// Counts the steps of the loop.
    var step = 0
}

/// One easy handle with the memory around it, used for one exchange after the other. Lives on the loop's thread.
final class CurlSlot {
    let number: Int
    private(set) var exchange: CurlExchange?
    var ticket: AdmissionQueue.Ticket?
    /// Why we end the exchange, when a callback found a reason to.
    private(set) var breakage: CurlBreak?
    private(set) var head = CurlHead()
    private var body = CurlBody()
    private var queued = Duration.zero
    private var sent: Int64 = 0
    private var sendings = 0
    /// How many bytes were on their way when that was last looked at.
    private var unacknowledged: Int32 = 0
    /// The step of the loop in which the exchange was last active.
    private var activeStep = -1
    /// Whether there was nothing to send when libcurl asked for it.
    private(set) var awaitsBytes = false
    private var pins: [TLSPolicy.Pin] = []
    /// The way that the exchange takes.
    private(set) var route = CurlRoute(kind: LC_MULTI_SERIAL)
    /// The other way that the exchange must take, since libcurl has chosen a connection that it cannot have.
    private(set) var detour: CurlRoute?
    /// How often the exchange has begun, this time included.
    private(set) var launches = 0
    /// How many bytes of a redirect's body may still arrive; `nil` for any other body.
    private var drain: Int?
    private var connection = CurlSlot.noConnection
    private let options: CurlOptions
    private let base: CurlSharedOptions
    private let agenda: CurlAgenda

    /// What libcurl remarks when a server has processed nothing of a request.
    private static let refusal = "REFUSED_STREAM"
    private static let noConnection = LCConnection(descriptor: -1, serial: 0, epoch: 0)

    init(number: Int, options: CurlOptions, base: CurlSharedOptions, agenda: CurlAgenda) {
        self.number = number
        self.options = options
        self.base = base
        self.agenda = agenda
    }

    var easy: OpaquePointer { options.easy }

    /// Makes the handle ready for an exchange.
    ///
    /// - Returns: why it cannot be, if so.
    func begin(_ exchange: CurlExchange, _ ticket: AdmissionQueue.Ticket, _ route: CurlRoute, launches: Int)
        -> CurlBreak?
    {
        self.exchange = exchange
        self.ticket = ticket
        self.route = route
        self.launches = launches
        queued = ContinuousClock.now - exchange.handedOver
        pins = options.certificatePins(for: exchange.wire)
        return options.apply(exchange, route, context: Unmanaged.passUnretained(self).toOpaque())
    }

    /// Takes the exchange out, with how it ended.
    func end(_ outcome: CurlEnding.Outcome) -> (exchange: CurlExchange, ending: CurlEnding)? {
        guard let exchange else { return nil }
        let ending = self.ending(outcome)
        clear()
        return (exchange, ending)
    }

    /// Takes the exchange out, for it to begin again.
    func release() -> (exchange: CurlExchange, ticket: AdmissionQueue.Ticket)? {
        guard let exchange, let ticket = ticket.take() else { return nil }
        clear()
        return (exchange, ticket)
    }

    private func clear() {
        options.leave(connection)
        connection = Self.noConnection
        if sendings != 1 { options.expire() }
        exchange = nil
        breakage = nil
        detour = nil
        body = CurlBody()
        drain = nil
        head.reset()
        sent = 0
        sendings = 0
        unacknowledged = 0
        agenda.sending.remove(number)
        awaitsBytes = false
    }

    /// Makes the handle fit for another exchange.
    ///
    /// - Returns: whether it is.
    func recycle(afterHalt wasHalted: Bool) -> Bool {
        base.reusesHandles && !wasHalted ? true : options.renewHandle()
    }

    private func ending(_ outcome: CurlEnding.Outcome, isStreaming: Bool = false) -> CurlEnding {
        var ending = CurlEnding(outcome: outcome)
        ending.hasHead = head.isComplete
        ending.statusCode = head.statusCode
        ending.isDecoded = body.isDecoded
        ending.isStreaming = isStreaming
        ending.length = body.length
        ending.received = body.received
        ending.problem = body.problem
        ending.queued = queued
        guard case .success = outcome else { return ending }
        ending.fields = Array(head.fields[...])
        if isStreaming { return ending }
        ending.body = body.data
        ending.timing = CurlTiming(of: easy)
        return ending
    }

    /// How libcurl's code is to be understood.
    func outcome(of code: Int32) -> CurlEnding.Outcome {
        if drain != nil || breakage == .followed { return .success }
        if breakage == .repeated, isRefusedExpectation { return finished }
        if let breakage { return .broken(breakage, during: phase) }
        if code != 0 {
            let certificate = lc_number(easy, Int32(LC_INFO_SSL_VERIFYRESULT))
            let message = options.wasRefused ? Self.refusal : options.message(for: code)
            return .failed(code: code, message: message, certificate: certificate)
        }
        guard head.isComplete else { return .failed(code: 52, message: "", certificate: 0) }
        return finished
    }

    /// The outcome where libcurl has taken everything that was to come.
    private var finished: CurlEnding.Outcome {
        if let fault = body.finish() { return .broken(fault, during: .body) }
        exchange?.progress?.received(body.received, of: body.received, isLast: true)
        return .success
    }

    /// Whether the response is a 417 that came whole. libcurl begins the request again then, without `Expect`; that is for
    /// the caller to decide.
    private var isRefusedExpectation: Bool {
        head.statusCode == 417 && exchange?.request.headers.contains("Expect") == true
            && body.length.map { body.received >= $0 } != false && !options.message(contains: "HTTP_1_1_REQUIRED")
    }

    /// What is going on now.
    var phase: TransportFailure.TimeoutPhase {
        if head.isComplete { return .body }
        return lc_large(easy, Int32(LC_INFO_PRETRANSFER_TIME_T)) > 0 ? .response : .connect
    }

    // MARK: Activity

    /// Bytes of the exchange were sent or received.
    func bytesMoved() {
        activeStep = agenda.step
        exchange?.context.reportActivity()
    }

    /// The connection of the exchange had an event in this step. It counts where libcurl did not tell of its bytes.
    func noteEvent() {
        if activeStep != agenda.step { bytesMoved() }
    }

    /// Looks whether bytes of the request have arrived that were handed to the system before: it takes megabytes at once,
    /// which a slow connection carries for minutes.
    ///
    /// - Returns: whether more are on their way.
    func followSending() -> Bool {
        guard exchange != nil, let count = options.unacknowledged(on: connection) else { return false }
        if count != unacknowledged { bytesMoved() }
        unacknowledged = count
        return count > 0
    }

    // MARK: Called by libcurl

    /// A line of a head; `false` ends the exchange.
    func receivedLine(_ line: UnsafeRawBufferPointer) -> Bool {
        bytesMoved()
        switch head.receive(line) {
        case .line: return true
        case .broken(let reason): return stop(reason)
        case .repeated: return stop(.repeated)
        case .complete:
            guard let exchange else { return false }
            guard options.note(isVersion1: head.isVersion1, on: connection) else { return stop(.mixedUp) }
            let status = head.statusCode
            if head.isAmbiguous { options.forbidReuse() }
            let hasBody = exchange.request.method != .head && status != 204 && status != 304
            if hasBody, head.isRedirect, head.bodyLength != 0, exchange.context.followsRedirects {
                return handOver(exchange)
            }
            let reason = body.begin(
                head,
                hasBody: hasBody,
                decodes: exchange.wire.decodes,
                file: exchange.file,
                stream: hasBody && (200..<300).contains(status) ? exchange.stream : nil,
                limits: exchange.context.limits
            )
            if let reason { return stop(reason) }
            if let upload = exchange.upload { exchange.progress?.sent(upload.sent, of: upload.length) }
            if body.isStreamed {
                if !exchange.context.keepsPlace, let ticket = ticket.take() { agenda.freed.append(ticket) }
                exchange.beginStreaming(ending(.success, isStreaming: true))
            }
            return true
        }
    }

    /// Ends the exchange of a followed redirect before its body arrives.
    ///
    /// The body may arrive for a short time, so that the connection can be reused.
    private func handOver(_ exchange: CurlExchange) -> Bool {
        if let upload = exchange.upload, upload.length != sent { return stop(.followed) }
        drain = Self.drainLimit
        agenda.draining.append((number, exchange, .now + .milliseconds(250)))
        exchange.finish(ending(.success))
        return true
    }

    private static let drainLimit = 64 << 10

    /// Bytes of the body.
    func receivedBody(_ bytes: UnsafeRawBufferPointer) -> Reception {
        guard let exchange, breakage == nil else { return .end }
        bytesMoved()
        if let drain {
            self.drain = drain - bytes.count
            return bytes.count <= drain ? .taken : .end
        }
        switch body.receive(bytes) {
        case .taken:
            exchange.progress?.received(body.received, of: body.length)
            return .taken
        case .paused:
            if body.isResting { agenda.resting.append(number) }
            options.notePause(on: connection)
            return .later
        case .broken(let reason):
            breakage = reason
            return .end
        }
    }

    /// What becomes of bytes that have come.
    enum Reception { case taken, later, end }

    /// Who reads the body has room again.
    func makeRoom() { body.makeRoom() }

    /// Whether libcurl keeps bytes of the body that it could not hand over.
    var isHalted: Bool { body.isHalted }

    /// Whether its body is to be decoded further when others have had their turn.
    var isResting: Bool { exchange != nil && body.isResting }

    /// Gives the exchange up, before libcurl does. What libcurl keeps for the reader is thrown away: on a connection that
    /// others use it would keep that for the next exchange of the handle.
    func breakOff(_ reason: CurlBreak) {
        breakage = breakage ?? reason
        if isHalted { _ = lc_easy_pause(easy, Int32(LC_PAUSE_NOTHING)) }
    }

    /// How an exchange has ended whose connection the server has closed while libcurl waited for bytes to send, and does not
    /// look at it.
    ///
    /// `nil` where libcurl will tell: it stops sending after an error, and then knows whether all chunks have come.
    var outcomeOfHangUp: CurlEnding.Outcome? {
        if isHalted || (head.isComplete && head.isChunked && head.statusCode >= 300) { return nil }
        let isWhole = body.length.map { body.received >= $0 } ?? !head.isChunked
        return outcome(of: !head.isComplete ? 52 : isWhole ? 0 : 18)
    }

    /// Whether a response is there while libcurl waits for bytes to send: it does not see then that it need not.
    var isAnsweredEarly: Bool { awaitsBytes && head.isComplete }

    /// Copies bytes to send.
    func send(into buffer: UnsafeMutableRawBufferPointer) -> CurlUpload.Reading {
        guard let exchange, let upload = exchange.upload else { return .bytes(0) }
        let reading = upload.read(into: buffer, at: sent)
        awaitsBytes = false
        switch reading {
        case .bytes(let count):
            sent += Int64(count)
            bytesMoved()
            agenda.sending.insert(number)
            exchange.progress?.sent(upload.sent, of: upload.length)
        case .later: awaitsBytes = true
        case .failed(let reason): breakage = reason
        }
        return reading
    }

    /// Goes back, or forward, in what is sent.
    func seek(to offset: Int64) -> Bool {
        guard let upload = exchange?.upload, upload.seek(to: offset) else { return false }
        sent = offset
        return true
    }

    /// Whether the request may be sent now, on the connection between two addresses.
    func maySend(
        _ local: UnsafePointer<CChar>?,
        _ localPort: Int32,
        _ remote: UnsafePointer<CChar>?,
        _ remotePort: Int32
    ) -> Bool {
        sendings += 1
        options.leave(connection)
        connection = Self.noConnection
        if !pins.isEmpty, !options.hasCertificate(with: pins) { return stop(.pinMismatch) }
        if sendings > 1, !maySendAgain() { return false }
        var connection = options.connection(local, localPort, remote, remotePort)
        guard options.enter(&connection, number) == LC_ENTER_READY else {
            detour = CurlRoute(kind: route.kind, isFresh: true)
            return false
        }
        self.connection = connection
        bytesMoved()
        return true
    }

    /// Whether libcurl may send the request again: only where that does no harm, or the server has processed nothing of it,
    /// and nothing has come of the first time.
    private func maySendAgain() -> Bool {
        guard !head.isComplete else { return stop(.repeated) }
        guard exchange?.request.method.isIdempotent == true || options.wasRefused else { return false }
        // libcurl goes back only when it knows that bytes have gone out; it may have taken some that have not.
        if sent > 0, !seek(to: 0) { return false }
        // A refusal speaks of one time only.
        options.forgetRefusal()
        guard route.kind == LC_MULTI_SHARING, options.message(contains: "HTTP_1_1_REQUIRED") else { return true }
        detour = CurlRoute(kind: LC_MULTI_SERIAL, isFresh: false)
        return false
    }

    private func stop(_ reason: CurlBreak) -> Bool {
        breakage = reason
        return false
    }
}
