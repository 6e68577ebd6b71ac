#if !canImport(FoundationNetworking)
import Foundation
import NetworkEngine

/// A WebSocket task of the system's session.
///
/// The end of the task decides how the connection ended: only then the close frame is known.
final class WebSocketTask: WebSocketConnection, SessionUpgrade {
    private typealias Signal = OneShot<Void>
    private typealias Receipt = WebSocketInbox.Receipt

    private struct State {
        var negotiatedProtocol: String?
        var closeOfOther: WebSocketClose?
        var closeOfThis: WebSocketClose?
        var refusal: TransportFailure.CertificateProblem?
        var inbox: WebSocketInbox
        var backlog: WebSocketBacklog
        /// The reason for which this end gave up, if it did.
        var failure: NetworkError?
        /// The error of the task; the outer optional is `nil` while it runs.
        var end: (any Error)??
    }

    private let task: URLSessionWebSocketTask
    private let request: HTTPRequest
    private let options: WebSocketOptions
    private let encoder: JSONEncoder
    private let timebase: Timebase
    private let forget: @Sendable () -> Void
    private let state: Locked<State>
    /// Given when the handshake has succeeded or the task has ended.
    private let start = Signal()
    private let end = Signal()

    /// - Parameter forget: called at the end of the task.
    init(
        _ task: URLSessionWebSocketTask,
        request: HTTPRequest,
        offer: WebSocketOffer,
        forget: @escaping @Sendable () -> Void
    ) {
        self.task = task
        self.request = request
        self.forget = forget
        (options, encoder) = (offer.options, offer.encoder)
        let inbox = WebSocketInbox(limit: offer.options.bufferLimit)
        state = Locked(State(inbox: inbox, backlog: WebSocketBacklog(offer.options)))
        timebase = .reading(offer.clock)
        task.maximumMessageSize = max(1, options.messageLimit)
    }

    var isForeign: Bool { request.secrets?.isForeign == true }
    var negotiatedProtocol: String? { state.withLock { $0.negotiatedProtocol } }
    var close: WebSocketClose? { state.withLock { $0.closeOfOther ?? $0.closeOfThis } }

    /// Makes the handshake.
    func open() async throws(NetworkError) -> HTTPResponse {
        task.resume()
        do throws(CancellationError) { try await start.wait() } catch { throw .cancelled(request) }
        let end = state.withLock { $0.end }
        let head = (task.response as? HTTPURLResponse).map { ResponseHead($0, method: .get) }
        var response = HTTPResponse(statusCode: 101, headers: head?.headers ?? HTTPHeaders(), request: request)
        if let error = end {
            guard let head, head.statusCode != 101 else { throw failure(error, hasHead: false) }
            response.statusCode = head.statusCode
            return response
        }
        if let interval = options.pingInterval { Task.detached { [self] in await watch(every: interval) } }
        response.upgrade = WebSocketOwner(self, encoder: encoder)
        requestMessage()
        return response
    }

    var isOpen: Bool { end.value == nil }

    var hasUnreadMessages: Bool { state.withLock { !$0.inbox.isEmpty } }

    func failure() async throws(CancellationError) -> NetworkError? {
        try await end.wait()
        do throws(NetworkError) {
            _ = try resultNow()
            return nil
        } catch {
            return error
        }
    }

    func send(_ message: WebSocketMessage) async throws(NetworkError) {
        try checkOpen()
        let size = message.size
        do throws(NetworkError) {
            try state.withLock { state throws(NetworkError) in try state.backlog.add(size) }
        } catch {
            throw error.completed(request: request)
        }
        // The system can drop the handlers of messages at the end of the connection, as those of pings.
        let receipt = Receipt()
        guard state.withLock({ $0.inbox.awaits(receipt) }) else { throw reasonOfEnd }
        let content: URLSessionWebSocketTask.Message =
            switch message {
            case .text(let text): .string(text)
            case .data(let data): .data(data)
            }
        task.send(content) { [self] error in
            state.withLock {
                $0.backlog.removeFirst()
                $0.inbox.answered(receipt)
            }
            receipt.settle(result(error))
        }
        try await value(of: receipt)
    }

    func ping() async throws(NetworkError) {
        try checkOpen()
        try await value(of: sendPing())
    }

    /// Sends a ping. The receipt is settled by its pong, or by the end of the connection.
    private func sendPing() -> Receipt {
        let receipt = Receipt()
        guard state.withLock({ $0.inbox.awaits(receipt) }) else {
            receipt.settle(.failure(reasonOfEnd))
            return receipt
        }
        task.sendPing { [self] error in
            state.withLock { $0.inbox.answered(receipt) }
            receipt.settle(result(error))
        }
        return receipt
    }

    func receive() async throws(NetworkError) -> WebSocketMessage? {
        while true {
            if Task.isCancelled { throw .cancelled(request) }
            let reading = state.withLock { $0.inbox.next() }
            requestMessage()
            switch reading {
            case .message(let message): return message
            case .end: return try resultNow()
            case .wait(let arrival):
                do throws(CancellationError) { try await arrival.wait() } catch { throw .cancelled(request) }
            }
        }
    }

    /// Asks the system for a message, unless it was asked or the messages that wait are too many.
    private func requestMessage() {
        if state.withLock({ $0.inbox.startsRequest() }) { task.receive { [self] in received($0) } }
    }

    func close(with frame: WebSocketClose) async {
        let isFirst = state.withLock { state in
            guard state.end == nil, state.closeOfThis == nil else { return false }
            state.closeOfThis = frame
            return true
        }
        if isFirst {
            let code = URLSessionWebSocketTask.CloseCode(rawValue: Int(frame.code)) ?? .normalClosure
            task.cancel(with: code, reason: frame.reason.isEmpty ? nil : Data(frame.reason.utf8))
        }
        let timers = TimerQueue(timebase: timebase)
        defer { timers.stop() }
        let deadline = Deadline(in: max(.zero, options.closeTimeout), on: timebase)
        if (try? await end.wait(until: deadline, on: timers)) == nil { task.cancel() }
    }

    func abandon() {
        state.withLock { $0.failure = $0.failure ?? .cancelled(request) }
        task.cancel()
    }

    // MARK: Callbacks

    func opened(_ negotiatedProtocol: String?) {
        state.withLock { $0.negotiatedProtocol = negotiatedProtocol }
        start.settle(())
    }

    func closed(_ close: WebSocketClose) { state.withLock { $0.closeOfOther = close } }

    func refused(_ problem: TransportFailure.CertificateProblem) { state.withLock { $0.refusal = problem } }

    func ended(_ error: (any Error)?) {
        let (arrival, awaited) = state.withLock { state in
            state.end = .some(error)
            return state.inbox.ended()
        }
        end.settle(())
        start.settle(())
        arrival.settle(())
        if !awaited.isEmpty {
            let reason = reasonOfEnd
            for receipt in awaited { receipt.settle(.failure(reason)) }
        }
        forget()
    }

    private func received(_ result: Result<URLSessionWebSocketTask.Message, any Error>) {
        guard case .success(let content) = result else {
            // The end of the task follows, and tells the reason. A task that closes waits for the other end's frame.
            if state.withLock({ $0.closeOfThis == nil }) { task.cancel() }
            return
        }
        let message: WebSocketMessage? =
            switch content {
            case .string(let text): .text(text)
            case .data(let data): .data(data)
            @unknown default: nil
            }
        let arrival = state.withLock { $0.inbox.received(message) }
        arrival.settle(())
        requestMessage()
    }

    // MARK: Results

    private func checkOpen() throws(NetworkError) {
        if Task.isCancelled { throw .cancelled(request) }
        let (isClosing, hasEnded) = state.withLock { ($0.closeOfThis != nil, $0.end != nil) }
        if hasEnded { _ = try resultNow() }
        if isClosing || hasEnded {
            throw NetworkError(kind: .invalidRequest, reason: "the WebSocket is closed", request: request)
        }
    }

    private func value(of receipt: Receipt) async throws(NetworkError) {
        let result: Result<Void, NetworkError>
        do throws(CancellationError) { result = try await receipt.wait() } catch { throw .cancelled(request) }
        try result.get()
    }

    private func result(_ error: (any Error)?) -> Result<Void, NetworkError> {
        error.map { .failure(failure($0, hasHead: true)) } ?? .success(())
    }

    /// The reason for which nothing can be sent after the end.
    private var reasonOfEnd: NetworkError {
        do throws(NetworkError) { _ = try resultNow() } catch { return error }
        return NetworkError.closedWebSocket.completed(request: request)
    }

    /// `nil` after a normal close.
    private func resultNow() throws(NetworkError) -> WebSocketMessage? {
        let state = state.withLock { $0 }
        if let failure = state.failure { throw failure }
        if state.closeOfThis != nil { return nil }
        guard let close = state.closeOfOther else {
            throw failure(state.end ?? nil, hasHead: true)
        }
        if close.isNormal { return nil }
        throw NetworkError(close, request: request)
    }

    private func failure(_ error: (any Error)?, hasHead: Bool) -> NetworkError {
        let (failure, refusal) = state.withLock { ($0.failure, $0.refusal) }
        if let failure { return failure }
        if let refusal {
            let problem = TransportFailure.tlsCertificate(refusal)
            return NetworkError(problem, reason: problem.reason(message: ""), request: request, underlying: error)
        }
        if let error = error as NSError?, error.domain == NSPOSIXErrorDomain, error.code == Int(EMSGSIZE) {
            let reason = "a message is larger than the limit of \(options.messageLimit) bytes"
            return NetworkError(kind: .limit, reason: reason, request: request, underlying: error)
        }
        return SessionFailure.error(error, hasHead: hasHead).completed(request: request)
    }

    // MARK: Silence

    private func watch(every interval: Duration) async {
        let timers = TimerQueue(timebase: timebase)
        defer { timers.stop() }
        let interval = max(.milliseconds(1), interval)
        while (try? await end.wait(until: Deadline(in: interval, on: timebase), on: timers)) == nil {
            let (arrivals, backlog) = state.withLock { ($0.inbox.arrivals, $0.backlog) }
            if state.withLock({ $0.inbox.isAlive(since: arrivals) }) { continue }
            let receipt = sendPing()
            // The ping has a whole interval after the messages before it, as long as they are sent.
            var (before, hadLeft, isAnswered) = (backlog, false, false)
            repeat {
                let start = state.withLock { $0.backlog }
                hadLeft = start.hasSentAll(of: backlog)
                before = start
                isAnswered =
                    (try? await receipt.wait(until: Deadline(in: interval, on: timebase), on: timers)) != nil
                    || state.withLock { $0.inbox.isAlive(since: arrivals) }
            } while !isAnswered && !hadLeft && state.withLock({ $0.backlog.isMoving(since: before) })
            if isAnswered { continue }
            let error = NetworkError(
                .timeout(.body), reason: "no byte arrived for two ping intervals", request: request)
            state.withLock { $0.failure = $0.failure ?? error }
            return task.cancel()
        }
    }
}
#endif
