import CLibcurl
import NetworkEngine

/// An easy handle with its memory, used for one exchange after the other. It belongs to the loop's thread.
final class CurlSlot {
    let number: Int
    private(set) var task: CurlTask?
    var permit: Permit?
    /// Whether there is no exchange, or it is over, so that nothing of it is received or reported any longer.
    private(set) var isOver = true
    /// Whether the rest of a redirect's body is dropped.
    private var isDraining = false
    /// Whether libcurl has sent two requests on one connection by HTTP/1.1.
    private(set) var isMixedUp = false
    private(set) var head = CurlHead()
    private(set) var body = CurlBodyDecoder()
    /// Whether libcurl has ended the exchange by itself, after one sending. Otherwise the handle may keep a buffer of
    /// another size, how often it has sent again, or that a server has refused a stream: then it would send the next
    /// request again.
    private var isSound = false
    /// Whether the exchange has received a field.
    private var hasField = false
    private(set) var sent: Int64 = 0
    private(set) var sendings = 0
    var repetition = CurlRepetition()
    /// The start of an exchange with a body, and the time at which libcurl took its last bytes.
    private(set) var uploading: (start: Moment, last: Moment)?
    /// The number of unacknowledged bytes at the last check.
    private var unacknowledged: Int32 = 0
    /// Whether bytes were sent or received since the last report of activity.
    private var isActive = false
    /// Whether that was reported at once. A second report later would prolong the timeout without bytes.
    private var isReported = false
    /// Whether there was nothing to send when libcurl asked for it.
    private(set) var awaitsBytes = false
    private var pins: [TLSPolicy.Pin] = []
    /// The route of the exchange.
    private(set) var route = CurlRoute(kind: LC_MULTI_SERIAL)
    /// The other route that the exchange must take, because libcurl has chosen a connection that it must not use.
    var detour: CurlRoute?
    /// The number of times that the exchange has started.
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
    /// - Returns: the reason for which that is impossible.
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

    /// Whether it is the first of the running exchanges that depends on libcurl's messages to any of them.
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
        // An exchange that is over ignores the event: this is called for each transfer that ends.
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
    /// keep them for the next exchange of the handle.
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

    /// Bytes of the exchange were sent or received, and someone can see that before the next report.
    func bytesMoved() {
        noteActivity()
        isReported = true
        task?.exchange.reportActivity()
    }

    /// Has activity reported when libcurl has read all that there is.
    ///
    /// libcurl does not tell of the bytes of an incomplete line. They come before this report, never after it.
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

    /// Checks whether bytes of the request that were passed to the system have arrived. The system takes megabytes at
    /// once, which a slow connection sends for minutes.
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
            // An incomplete request leaves no reusable connection.
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

    /// What happens to received bytes.
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

    /// The reader of the body has room again.
    func makeRoom() { body.makeRoom() }

    /// Makes libcurl look at the connection as after an event.
    ///
    /// - Returns: libcurl's code, 0 for success.
    func touchConnection() -> Int32 { options.touch(connection) }

    /// Whether libcurl waits for no more bytes of the response, although the connection is open.
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

    /// Moves to another offset of the request's body.
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
        // A third sending depends on what happens to the second one.
        if sendings > 1 { options.listenFromNow() }
        reportConnection()
        noteActivity()
        return true
    }

    /// Whether the exchange sends its request. Another thread may have aborted it, with a phase that says that nothing
    /// was sent, or its user has signed out.
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

    /// Ends an exchange whose request libcurl sends again after a complete head.
    ///
    /// After a 417 only the caller may decide about that.
    func endRepeated() -> Bool {
        guard isRefusedExpectation, !options.message(contains: "HTTP_1_1_REQUIRED") else {
            return stop(.lost("libcurl sent the request again after the head of a response"))
        }
        finishWhole()
        return false
    }
}
