import CLibcurl
import NetworkEngine

/// An easy handle with its memory, used for one exchange after another. It belongs to the loop's thread.
final class CurlSlot {
    let number: Int
    private(set) var task: CurlTask?
    var permit: Permit?
    /// Whether there is no exchange, or it has ended, so that nothing more is received or reported for it.
    private(set) var isOver = true
    /// Whether the rest of a redirect's body is dropped.
    private var isDraining = false
    /// Whether libcurl has sent two requests on one connection over HTTP/1.1.
    private(set) var isMixedUp = false
    private(set) var head = CurlHead()
    private(set) var body = CurlBodyDecoder()
    /// Whether libcurl ended the exchange itself, after one sending. Otherwise the handle may keep a buffer of another
    /// size, a count of repeated sendings, or the refusal of a stream, and would then send the next request again.
    private var isSound = false
    /// Whether the exchange has received a field.
    private var hasField = false
    private(set) var sent: Int64 = 0
    private(set) var sendings = 0
    var repetition = CurlRepetition()
    /// When an exchange with a body started, and when libcurl read its last bytes.
    private(set) var uploading: (start: Moment, last: Moment)?
    /// The number of unacknowledged bytes at the last check.
    private var unacknowledged: Int32 = 0
    /// Whether bytes were sent or received since the last report of activity.
    private var isActive = false
    /// Whether this was reported immediately. A second report later would extend the timeout without new bytes.
    private var isReported = false
    /// Whether libcurl found nothing to send.
    private(set) var awaitsBytes = false
    private var pins: [TLSPolicy.Pin] = []
    /// The exchange's route.
    private(set) var route = CurlRoute(kind: LC_MULTI_SERIAL)
    /// The other route that the exchange must take, because libcurl has chosen a connection that it must not use.
    var detour: CurlRoute?
    /// How often the exchange was started.
    private(set) var launches = 0
    private var connection = CurlSlot.noConnection
    let options: CurlOptions
    let base: CurlSharedOptions
    private let agenda: CurlAgenda

    /// libcurl's message when a server has processed nothing of a request.
    private static let refusal = "REFUSED_STREAM"
    private static let noConnection = LCConnection(descriptor: -1, serial: 0, epoch: 0)

    init(number: Int, options: CurlOptions, base: CurlSharedOptions, agenda: CurlAgenda) {
        self.number = number
        self.options = options
        self.base = base
        self.agenda = agenda
    }

    var easy: OpaquePointer { options.easy }

    /// Prepares the handle for an exchange.
    ///
    /// - Returns: why this is impossible; otherwise `nil`.
    func begin(_ task: CurlTask, _ permit: Permit, _ route: CurlRoute, launches: Int) -> AbortReason? {
        self.task = task
        self.permit = permit
        self.route = route
        self.launches = launches
        repetition = CurlRepetition(isAfterLoss: route.isAfterLoss)
        isOver = false
        if task.upload != nil {
            let now = Moment.now
            uploading = (now, now)
        }
        pins = options.certificatePins(for: task.request)
        let context = Unmanaged.passUnretained(self).toOpaque()
        let fault = options.apply(task, route, othersDepend: agenda.dependents > 0, context: context)
        if options.dependsOnMessages { agenda.dependents += 1 }
        return fault
    }

    /// Whether it is the first running exchange that depends on libcurl's messages to any exchange.
    var isOnlyDependent: Bool { options.dependsOnMessages && agenda.dependents == 1 }

    /// Releases the exchange, and prepares the handle for another.
    ///
    /// - Returns: whether the handle can be used again.
    func recycle() -> Bool {
        let maySurvive = isSound && !isHalted && options.mayServeAgain
        isSound = false
        leaveConnection()
        if options.dependsOnMessages { agenda.dependents -= 1 }
        task?.exchange.endDeparture()
        task = nil
        isOver = true
        isReported = false
        detour = nil
        body = CurlBodyDecoder()
        isDraining = false
        isMixedUp = false
        head.reset()
        hasField = false
        sent = 0
        sendings = 0
        uploading = nil
        unacknowledged = 0
        agenda.sending.remove(number)
        awaitsBytes = false
        return maySurvive || options.renewHandle()
    }

    // MARK: The end

    /// Ends the exchange with libcurl's result.
    ///
    /// - Parameter isEarly: whether libcurl would continue it.
    func finish(code: Int32, isEarly: Bool = false) {
        isSound = code == 0 && sendings == 1 && !isEarly
        // A finished exchange ignores the event, because this is called for each transfer that ends.
        guard let task else { return }
        if code == 0 || options.hasEnded, head.isComplete { return finishWhole() }
        isOver = true
        let failure = code == 0 ? 52 : code
        let certificate = CurlSecurity.certificateFault(of: easy)
        let message = code == 0 ? "" : options.wasRefused ? Self.refusal : options.message(for: code)
        let isShort = options.lacksDescriptor(after: code)
        let wasSent = repetition.isAfterLoss || (sendings > 0 && !options.wasRefused)
        let reason = reasonOfPlace(after: code, message)
        let completion = task.exchange.fail(metrics: measuredFailure) { hasHead in
            if isShort, !wasSent { return .lacksDescriptors }
            return CurlFailure.error(
                code: failure, message: isShort ? CurlFailure.shortage : message, certificate: certificate,
                reason: reason,
                wasSent: wasSent, hasHead: hasHead)
        }
        agenda.add(completion)
    }

    /// Ends the exchange with everything that has arrived.
    private func finishWhole() {
        if let reason = body.finish() { return abort(reason) }
        isOver = true
        if !head.trailers.isEmpty { task?.exchange.receive(trailers: head.trailers) }
        agenda.add(task?.exchange.end(metrics: metrics))
    }

    /// Ends the exchange, and drops the bytes that libcurl keeps for its reader. On a shared connection libcurl would
    /// keep them for the handle's next exchange.
    func abort(_ reason: AbortReason) {
        agenda.add(task?.exchange.abort(reason))
        close()
    }

    /// Receives nothing more.
    func close() {
        isOver = true
        task?.exchange.endDeparture()
        if isHalted { _ = lc_easy_pause(easy, Int32(LC_PAUSE_NOTHING)) }
    }

    private func stop(_ reason: AbortReason) -> Bool {
        isOver = true
        agenda.add(task?.exchange.abort(reason))
        return false
    }

    // MARK: Activity

    /// Bytes of the exchange were sent or received, and this can be observed before the next report.
    func bytesMoved() {
        noteActivity()
        isReported = true
        task?.exchange.reportActivity()
    }

    /// Reports activity when libcurl has read everything available.
    ///
    /// libcurl does not report the bytes of an incomplete line. They arrive before this report, never after it.
    func noteActivity() {
        if isActive { return }
        isActive = true
        agenda.active.append(number)
    }

    /// Bytes of the exchange were received, and are reported at the end of the step.
    private func bytesArrived() {
        noteActivity()
        isReported = false
    }

    func reportActivity() {
        isActive = false
        if !isReported { task?.exchange.reportActivity() }
        if sendings > 0 { options.listenFromNow() }
        isReported = false
    }

    /// Checks whether request bytes that were passed to the system have arrived. The system accepts megabytes
    /// immediately, which take minutes on a slow connection.
    ///
    /// - Returns: whether more bytes are in transit.
    func followSending() -> Bool {
        guard task != nil, let count = options.unacknowledged(on: connection) else { return false }
        if count != unacknowledged { bytesMoved() }
        unacknowledged = count
        return count > 0
    }

    // MARK: The response

    /// A line of a head; `false` ends the transfer.
    func receivedLine(_ line: UnsafeRawBufferPointer) -> Bool {
        if isOver { return false }
        bytesArrived()
        let step = head.receive(line)
        if !hasField, base.guardsFirstField {
            hasField = !head.fields.isEmpty
            options.guardFirstField(!hasField)
        }
        switch step {
        case .line: return true
        case .broken(let reason): return stop(reason)
        case .repeated: return endRepeated()
        case .complete:
            guard options.note(isVersion1: head.isVersion1, on: connection) else {
                isMixedUp = true
                return stop(.lost("libcurl sent two requests on one connection by HTTP/1.1"))
            }
            if head.isAmbiguous { options.forbidReuse() }
            return task.map(receivedHead(of:)) ?? false
        }
    }

    private func receivedHead(of task: CurlTask) -> Bool {
        let exchange = task.exchange
        reportConnection()
        if head.isVersion1, route.kind == LC_MULTI_SHARING { agenda.serial.append(task.request.origin) }
        let hasBody = ResponseHead.hasBody(statusCode: head.statusCode, method: exchange.request.method)
        let decodes = hasBody && task.request.decodes
        body = CurlBodyDecoder(
            head, hasBody: hasBody, decodes: decodes, limit: exchange.bodyLimit(statusCode: head.statusCode))
        let response = ResponseHead(
            statusCode: head.statusCode,
            fields: .lines(head.copyOfFields, isDecoded: body.decodes),
            hasBody: hasBody,
            bodyLength: hasBody && !isRefusedExpectation ? body.length : nil,
            isRedirect: head.isRedirect,
            decodedCodings: body.decodes ? head.decodedCodings : []
        )
        let instruction = task.receive(response)
        agenda.add(instruction.completion)
        switch instruction.action {
        case .collect: return true
        case .stream:
            if !exchange.context.keepsPermit, let permit = permit.take() { agenda.returned.append(permit) }
            return true
        case .drain:
            // After an incomplete request the connection cannot be reused.
            if let upload = task.upload, upload.announcedLength != sent {
                isOver = true
                return false
            }
            isDraining = true
            agenda.draining.append((number, task, .now + .milliseconds(250)))
            return true
        case .ignore, .abort:
            isOver = true
            return false
        }
    }

    /// How received bytes are handled.
    enum Reception { case taken, later, end }

    /// Bytes of the body.
    func receivedBody(_ bytes: UnsafeRawBufferPointer) -> Reception {
        guard let task, !isOver else { return .end }
        if task.exchange.isWatched { bytesMoved() } else { bytesArrived() }
        if isDraining { return task.exchange.receive(bytes).flow == .stop ? .end : .taken }
        let reception = body.receive(bytes) { part in
            let instruction = task.exchange.receive(part)
            agenda.add(instruction.completion)
            return instruction.flow
        }
        switch reception {
        case .taken: return .taken
        case .paused:
            if body.isResting { agenda.resting.append(number) }
            options.notePause(on: connection)
            return .later
        case .stopped:
            isOver = true
            return .end
        case .failed(let reason):
            _ = stop(reason)
            return .end
        }
    }

    /// The body's reader has space again.
    func makeRoom() { body.makeRoom() }

    /// Makes libcurl check the connection as after an event.
    ///
    /// - Returns: libcurl's code, 0 for success.
    func touchConnection() -> Int32 { options.touch(connection) }

    /// Whether libcurl no longer waits for response bytes, although the connection is open.
    var isAtRest: Bool { options.isAtRest(connection) }

    // MARK: The request

    /// Copies bytes to send.
    func send(into buffer: UnsafeMutableRawBufferPointer) -> CurlUpload.Reading {
        guard let task, let upload = task.upload else { return .bytes(0) }
        let reading = upload.read(into: buffer, at: sent)
        awaitsBytes = false
        switch reading {
        case .bytes(let count):
            sent += Int64(count)
            bytesMoved()
            agenda.sending.insert(number)
            uploading?.last = .now
            task.exchange.sent(upload.sent, of: upload.announcedLength)
            if count == 0, base.usesHTTP3 { agenda.ended.append(number) }
        case .later: awaitsBytes = true
        case .failed(let reason): _ = stop(reason)
        }
        return reading
    }

    /// Moves to another offset in the request body.
    func seek(to offset: Int64) -> Bool {
        guard let upload = task?.upload, upload.seek(to: offset) else { return false }
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
        guard task != nil, !isOver else { return false }
        if !pins.isEmpty, !options.hasCertificate(with: pins) {
            return stop(.certificate(.pinMismatch, "the server's certificate has none of the pins"))
        }
        var connection = options.connection(local, localPort, remote, remotePort)
        if sendings == 0 { noteConnections() } else if !maySendAgain(on: connection) { return false }
        leaveConnection()
        guard options.enter(&connection, number) == LC_ENTER_READY else {
            takeDetour(isFresh: true)
            return false
        }
        self.connection = connection
        options.listen(on: connection)
        guard send() else { return false }
        sendings += 1
        // A third sending depends on the outcome of the second one.
        if sendings > 1 { options.listenFromNow() }
        reportConnection()
        noteActivity()
        return true
    }

    /// Whether the exchange sends its request. Another thread may have aborted it, in a phase before sending, or its
    /// user has signed out.
    func send() -> Bool {
        guard let instruction = task?.exchange.send() else { return false }
        agenda.add(instruction.completion)
        if instruction.flow == .stop { isOver = true }
        return !isOver
    }

    private func leaveConnection() {
        options.leave(connection)
        connection = Self.noConnection
        options.listen(on: connection)
    }

    /// Whether the server has rejected `Expect`. libcurl then repeats the request, and drops the rest of the response.
    private var isRefusedExpectation: Bool {
        head.statusCode == 417 && task?.exchange.request.headers.contains("Expect") == true
    }

    /// Ends an exchange if libcurl sends its request again after a complete head.
    ///
    /// After a 417, only the caller may decide to do that.
    func endRepeated() -> Bool {
        guard isRefusedExpectation, !options.message(contains: "HTTP_1_1_REQUIRED") else {
            return stop(.lost("libcurl sent the request again after the head of a response"))
        }
        finishWhole()
        return false
    }
}
