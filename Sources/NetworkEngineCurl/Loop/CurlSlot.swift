import CLibcurl
import Foundation
import NetworkEngine

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
    /// Whether there was nothing to send when libcurl asked for it.
    private(set) var awaitsBytes = false
    private var pins: [TLSPolicy.Pin] = []
    private let options: CurlOptions
    private let decodes: Bool

    init(number: Int, options: CurlOptions, decodes: Bool) {
        self.number = number
        self.options = options
        self.decodes = decodes
    }

    var easy: OpaquePointer { options.easy }

    /// Makes the handle ready for an exchange.
    ///
    /// - Returns: why it cannot be, if so.
    func begin(_ exchange: CurlExchange, _ ticket: AdmissionQueue.Ticket) -> CurlBreak? {
        self.exchange = exchange
        self.ticket = ticket
        queued = ContinuousClock.now - exchange.handedOver
        pins = options.certificatePins(for: exchange.wire)
        return options.apply(
            exchange.request,
            exchange.wire,
            upload: exchange.upload,
            context: Unmanaged.passUnretained(self).toOpaque()
        )
    }

    /// Takes the exchange out, with how it ended.
    func end(_ outcome: CurlEnding.Outcome) -> (exchange: CurlExchange, ending: CurlEnding)? {
        guard let exchange else { return nil }
        let ending = self.ending(outcome)
        if sendings != 1 { options.expire() }
        self.exchange = nil
        breakage = nil
        body = CurlBody()
        head.reset()
        sent = 0
        sendings = 0
        awaitsBytes = false
        return (exchange, ending)
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
        if let breakage { return .broken(breakage, during: phase) }
        if code != 0 {
            let certificate = lc_number(easy, Int32(LC_INFO_SSL_VERIFYRESULT))
            return .failed(code: code, message: options.message(for: code), certificate: certificate)
        }
        guard head.isComplete else { return .failed(code: 52, message: "", certificate: 0) }
        if let fault = body.finish() { return .broken(fault, during: .body) }
        exchange?.progress?.received(body.received, of: body.received, isLast: true)
        return .success
    }

    /// What is going on now.
    var phase: TransportFailure.TimeoutPhase {
        if head.isComplete { return .body }
        return lc_large(easy, Int32(LC_INFO_PRETRANSFER_TIME_T)) > 0 ? .response : .connect
    }

    // MARK: Called by libcurl

    /// A line of a head; `false` ends the exchange.
    func receivedLine(_ line: UnsafeRawBufferPointer) -> Bool {
        switch head.receive(line) {
        case .line: return true
        case .broken(let reason): return stop(reason)
        case .complete:
            guard let exchange else { return false }
            let status = head.statusCode
            if head.isAmbiguous { options.forbidReuse() }
            let hasBody = exchange.request.method != .head && status != 204 && status != 304
            let reason = body.begin(
                head,
                hasBody: hasBody,
                decodes: decodes,
                file: exchange.file,
                stream: hasBody && (200..<300).contains(status) ? exchange.stream : nil,
                limits: exchange.context.limits
            )
            if let reason { return stop(reason) }
            if let upload = exchange.upload { exchange.progress?.sent(upload.sent, of: upload.length) }
            if body.isStreamed { exchange.beginStreaming(ending(.success, isStreaming: true)) }
            return true
        }
    }

    /// Bytes of the body.
    func receivedBody(_ bytes: UnsafeRawBufferPointer) -> Reception {
        guard let exchange, breakage == nil else { return .end }
        if body.isFull { return .later }
        if let reason = body.receive(bytes) {
            breakage = reason
            return .end
        }
        exchange.progress?.received(body.received, of: body.length)
        return .taken
    }

    /// What becomes of bytes that have come.
    enum Reception { case taken, later, end }

    /// Who reads the body has room again.
    func makeRoom() { body.makeRoom() }

    /// Whether libcurl keeps bytes of the body that it could not hand over.
    var isHalted: Bool { body.isFull }

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

    /// Whether the request may be sent now: again only if that does no harm.
    func maySend() -> Bool {
        sendings += 1
        if !pins.isEmpty, !options.hasCertificate(with: pins) { return stop(.pinMismatch) }
        // libcurl goes back only when it knows that bytes have gone out; it may have taken some that have not.
        if sendings > 1, sent > 0, !seek(to: 0) { return false }
        return sendings == 1 || exchange?.request.method.isIdempotent == true
    }

    private func stop(_ reason: CurlBreak) -> Bool {
        breakage = reason
        return false
    }
}
