import Foundation

/// One request and its response, which a driver reports events to.
///
/// The exchange collects the body in memory or in a stream, applies the limits, reports progress, and decides the
/// result once. It never performs I/O: the driver does that, and follows the instructions that the events return.
package final class Exchange: Sendable {
    /// What the driver does after an event.
    package enum Flow: Hashable, Sendable {
        /// The driver continues.
        case more
        /// The reader of the body is behind. A driver that can slow down the server waits for `continueReceiving()`.
        case pause
        /// The exchange is over, and the driver closes the connection.
        case stop
    }

    /// The flow, and the waiting task to resume after the driver has released the exchange's resources.
    package struct Instruction: Sendable {
        package let flow: Flow
        package var completion: Completion?
        /// The action for a head.
        package var action = ExchangeStateMachine.HeadAction.ignore

        init(_ flow: Flow, _ completion: Completion? = nil) {
            self.flow = flow
            self.completion = completion
        }
    }

    /// Resumes the task that awaits the response, or ends the body's stream.
    package struct Completion: Sendable {
        fileprivate let waiter: Waiter?
        /// The exchange with the stream that ends.
        fileprivate var ended: Exchange?

        package func run() {
            waiter?.resume()
            ended?.endStream()
        }
    }

    /// The task that awaits the response. On Linux the layout of a continuation is unknown at compile time: inside an
    /// object it does not slow down copies of everything that contains it.
    ///
    /// Checked, although the lock guarantees a single resume: ThreadSanitizer reports an unchecked continuation that is
    /// resumed before its task has suspended.
    final class Waiter: Sendable {
        private let continuation: CheckedContinuation<Void, Never>

        init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }

        func resume() { continuation.resume() }
    }

    struct State {
        var machine: ExchangeStateMachine
        var body = Data()
        /// The trailers of a collected body.
        var trailers: HTTPHeaders?
        var outcome: ExchangeStateMachine.Outcome?
        /// The driver's error, or the error of storing the body.
        var error: (any Error)?
        var metrics: ExchangeMetrics
        var admission: Moment?
        var firstByte: Moment?
        /// Resumed when there is a result. It does not carry the result, because ThreadSanitizer reports a
        /// continuation's value as a race if it is resumed before its task has suspended.
        var waiter: Waiter?
        var position = Position()
        /// Whether sending has started, and the server has not confirmed the request.
        var isLeaving = false
    }

    package let request: HTTPRequest
    package let context: TransportContext
    package let start = Moment.now
    let upload: (any RequestUpload)?
    let stream: StreamBuffer?
    let state: Locked<State>

    /// - Parameter backlogInFile: the number of bytes of a streamed body that may wait in a file. A driver that can
    ///   pause passes 0.
    package init(
        _ request: borrowing HTTPRequest,
        context: borrowing TransportContext,
        upload: (any RequestUpload)?,
        backlogInFile: Int64
    ) {
        self.request = copy request
        self.context = copy context
        self.upload = upload
        stream = context.streamsBody ? StreamBuffer(fileLimit: backlogInFile, context: copy context) : nil
        let rules = ExchangeStateMachine.Rules(
            bodyLimit: context.limits.bodyInMemory,
            streams: context.streamsBody,
            followsRedirects: context.followsRedirects
        )
        state = Locked(State(machine: ExchangeStateMachine(rules), metrics: ExchangeMetrics()))
    }

    /// Whether the result is decided.
    package var isOver: Bool { state.withLock { $0.machine.isOver } }

    /// Whether a response has started.
    var hasHead: Bool { state.withLock { $0.machine.head != nil } }

    package var position: Position { state.withLock { $0.position } }

    package func withPosition(_ change: (inout Position) -> Void) { state.withLock { change(&$0.position) } }

    // MARK: Before the response

    /// Stores the task that awaits the response.
    ///
    /// - Returns: whether to start the driver. Otherwise the exchange was already aborted, and the task is resumed.
    func begin(_ waiter: Waiter) -> Bool {
        let mayBegin = state.withLock { state in
            let mayBegin = state.machine.begin()
            if mayBegin { state.waiter = waiter }
            return mayBegin
        }
        if !mayBegin { waiter.resume() }
        return mayBegin
    }

    /// Whether an exchange with a permit continues.
    package enum Admittance: Hashable, Sendable {
        case first
        /// The exchange starts again, on another connection.
        case again
        /// The exchange was already aborted, and the permit is returned.
        case refused
    }

    /// Called when the exchange has a permit. The timeout starts.
    package func admit() -> Admittance {
        if let error = context.departure?.refusal(of: request) {
            fail { _ in error }?.run()
            return .refused
        }
        let admittance = state.withLock { state -> Admittance in
            guard state.machine.admit() else { return .refused }
            guard state.admission == nil else { return .again }
            let now = Moment.now
            state.admission = now
            state.metrics.queued = now - start
            return .first
        }
        if admittance == .first { context.connects() }
        return admittance
    }

    /// Reports that bytes were sent or received: the timeout restarts.
    package func reportActivity() { context.reportActivity() }

    /// Whether the body's bytes are visible outside while they arrive.
    package var isWatched: Bool { stream != nil || context.progress != nil }

    /// Records that bytes of the request body were passed to the system.
    package func sent(_ count: Int64, of total: Int64?) {
        report(.sending, count, of: total)
    }

    // MARK: The response

    /// Records the head of a response.
    ///
    /// - Parameter source: receives the requests of a streamed body's reader.
    func receive(_ head: ResponseHead, source: () -> StreamBuffer.Source) -> Instruction {
        endDeparture()
        let action = state.withLock { state -> ExchangeStateMachine.HeadAction in
            let action = state.machine.receive(head)
            switch action {
            case .collect, .stream, .drain: if state.firstByte == nil { state.firstByte = .now }
            case .ignore, .abort: return action
            }
            state.body = Data()
            return action
        }
        switch action {
        case .collect, .stream, .drain:
            context.observation?.responded(statusCode: head.statusCode, headers: head.headers)
        case .ignore, .abort: break
        }
        var instruction = instruction(for: action, source)
        instruction.action = action
        return instruction
    }

    private func instruction(
        for action: ExchangeStateMachine.HeadAction,
        _ source: () -> StreamBuffer.Source
    ) -> Instruction {
        switch action {
        case .ignore: return Instruction(.more)
        case .abort(let reason): return Instruction(.stop, abort(reason))
        case .drain: return Instruction(.more, complete(.success))
        case .collect:
            reportHead()
            return Instruction(.more)
        case .stream:
            stream?.connect(source())
            let waiter = state.withLock { $0.waiter.take() }
            reportHead()
            return Instruction(.more, Completion(waiter: waiter))
        }
    }

    private func reportHead() {
        guard context.progress != nil else { return }
        if let upload { sent(upload.sent, of: upload.announcedLength) }
        let (isSuccessful, length) = state.withLock { ($0.machine.isSuccessful, $0.machine.head?.bodyLength) }
        if isSuccessful { report(.receiving, 0, of: length) }
    }

    /// The maximum number of decoded bytes in the body of a response with this status.
    package func bodyLimit(statusCode: Int) -> Int64 {
        context.streamsBody && (200..<300).contains(statusCode) ? .max : context.limits.bodyInMemory
    }

    /// Records bytes of the body.
    func receive(_ data: Data) -> Instruction {
        receive(count: data.count) { state in
            state.body.accumulate(data, expecting: state.machine.head?.bodyLength)
        } piece: {
            data
        }
    }

    /// Records bytes of the body. They are copied.
    package func receive(_ bytes: UnsafeRawBufferPointer) -> Instruction {
        receive(count: bytes.count) { state in
            state.body.accumulate(bytes, expecting: state.machine.head?.bodyLength)
        } piece: {
            Data(bytes)
        }
    }

    private func receive(count: Int, collect: (inout State) -> Void, piece: () -> Data) -> Instruction {
        let (action, isStreaming) = state.withLock { state -> (ExchangeStateMachine.BytesAction, Bool) in
            let action = state.machine.receive(count: count)
            if action == .keep, !state.machine.isStreaming { collect(&state) }
            return (action, state.machine.isStreaming)
        }
        switch action {
        case .drop: return Instruction(.more)
        case .stop: return Instruction(.stop)
        case .abort(let reason): return Instruction(.stop, abort(reason))
        case .keep: break
        }
        if context.progress != nil { reportBytes() }
        guard isStreaming, let stream else { return Instruction(.more) }
        do {
            switch try stream.write(piece()) {
            case .room: return Instruction(.more)
            case .wait: return Instruction(.pause)
            case .full: return Instruction(.stop, abort(.backlogFull(limit: stream.limit)))
            }
        } catch {
            return Instruction(.stop, abort(.cannotStore, underlying: error))
        }
    }

    private func reportBytes() {
        let (isSuccessful, count, length) = state.withLock { state in
            (state.machine.isSuccessful, state.machine.received, state.machine.head?.bodyLength)
        }
        if isSuccessful { report(.receiving, count, of: length) }
    }

    private func report(_ direction: TransferProgress.Direction, _ count: Int64, of total: Int64?) {
        context.progress?(
            TransferProgress(direction: direction, completed: count, total: total, attempt: context.attempt))
    }

    // MARK: The end

    /// Records that everything has arrived.
    ///
    /// - Parameter metrics: the driver's metrics, if it measures more than the exchange does.
    package func end(metrics: ExchangeMetrics? = nil) -> Completion? {
        if context.progress != nil { reportEnd() }
        return complete { state in
            if let metrics { state.adopt(metrics) }
            return state.machine.end(hasFailed: false)
        }
    }

    private func reportEnd() {
        let count = state.withLock { state in
            state.machine.isSuccessful && !state.machine.isOver ? state.machine.received : nil
        }
        if let count { report(.receiving, count, of: count) }
    }

    /// Records the driver's error.
    ///
    /// - Parameters:
    ///   - metrics: the driver's metrics, if there are any.
    ///   - error: creates the error, given whether a response had started.
    package func fail(
        metrics: ExchangeMetrics? = nil,
        _ error: (_ hasHead: Bool) -> NetworkError
    ) -> Completion? {
        complete { state in
            if let metrics { state.adopt(metrics) }
            let outcome = state.machine.end(hasFailed: true)
            if outcome != nil { state.error = error(state.machine.head != nil) }
            return outcome
        }
    }

    /// Ends the exchange for one of the framework's reasons.
    package func abort(_ reason: AbortReason, underlying error: (any Error)? = nil) -> Completion? {
        complete { state in
            let outcome = state.machine.abort(reason)
            if outcome != nil { state.error = error }
            return outcome
        }
    }

    private func complete(_ outcome: ExchangeStateMachine.Outcome) -> Completion? {
        complete { _ in outcome }
    }

    private func complete(_ event: (inout State) -> ExchangeStateMachine.Outcome?) -> Completion? {
        let completion = state.withLock { state -> Completion? in
            guard let outcome = event(&state) else { return nil }
            state.outcome = outcome
            if let admission = state.admission, state.metrics.total == nil {
                state.metrics.firstByte = state.firstByte.map { $0 - admission }
                state.metrics.total = .now - admission
            }
            return Completion(waiter: state.waiter.take(), ended: state.machine.isStreaming ? self : nil)
        }
        guard let completion else { return nil }
        upload?.stop()
        context.observation?.measured(measured)
        return completion
    }

    private func endStream() { stream?.finish(error().map { .failure($0) } ?? .success(())) }
}

extension Exchange {
    /// The metrics, including the bytes of the bodies.
    var measured: ExchangeMetrics {
        var (metrics, received) = state.withLock { ($0.metrics, $0.machine.received) }
        metrics.bytesSent = upload?.sent ?? 0
        metrics.bytesReceived = received
        return metrics
    }
}

extension Exchange.State {
    /// Adopts the driver's metrics. Only the exchange measures the time in the queue.
    fileprivate mutating func adopt(_ measured: ExchangeMetrics) {
        let queued = metrics.queued
        metrics = measured
        metrics.queued = queued
    }
}

extension Data {
    /// Adds a piece of a body. A body in one piece is not copied.
    mutating func accumulate(_ piece: Data, expecting length: Int64?) {
        if isEmpty {
            self = piece
            reserve(length)
        } else {
            append(piece)
        }
    }

    mutating func accumulate(_ bytes: UnsafeRawBufferPointer, expecting length: Int64?) {
        if isEmpty { reserve(length) }
        append(contentsOf: bytes)
    }

    /// Reserves capacity for the announced length, up to a mebibyte, because a server may announce more than it sends.
    private mutating func reserve(_ length: Int64?) {
        guard let length, length > count else { return }
        reserveCapacity(Int(Swift.min(length, 1 << 20)))
    }
}
