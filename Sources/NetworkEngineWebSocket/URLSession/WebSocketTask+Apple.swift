#if !canImport(FoundationNetworking)
import Foundation
import NetworkEngine

/// A WebSocket task of the system's session.
///
/// How the connection ended is decided when the task ends, because the close frame is only known then.
final class WebSocketTask: WebSocketConnection, SessionUpgrade {
    private typealias Signal = OneShot<Void>
    private typealias Receipt = WebSocketInbox.Receipt

    private struct State {
        var negotiatedProtocol: String?
        var ending = WebSocketEnding()
        var inbox: WebSocketInbox
        var backlog: WebSocketBacklog
    }

    private let task: URLSessionWebSocketTask
    private let request: HTTPRequest
    private let options: WebSocketOptions
    private let encoder: JSONEncoder
    private let timebase: Timebase
    private let forget: @Sendable () -> Void
    private let state: Locked<State>
    /// Signaled when the handshake has succeeded or the task has ended.
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
    var close: WebSocketClose? { state.withLock { $0.ending.close } }

    /// Performs the handshake.
    func open() async throws(NetworkError) -> HTTPResponse {
        task.resume()
        do throws(CancellationError) { try await start.wait() } catch { throw .cancelled(request) }
        let head = (task.response as? HTTPURLResponse).map { ResponseHead($0, method: .get) }
        var response = HTTPResponse(statusCode: 101, headers: head?.headers ?? HTTPHeaders(), request: request)
        let ending = state.withLock { $0.ending }
        if ending.hasEnded {
            guard let head, head.statusCode != 101 else { throw ending.reason(of: request, options, hasHead: false) }
            response.statusCode = head.statusCode
            return response
        }
        if let interval = options.pingInterval { Task.detached { [self] in await watch(every: interval) } }
        response.upgrade = WebSocketOwner(self, encoder: encoder)
        requestMessage()
        return response
    }

    var isOpen: Bool { end.value == nil }

    var bufferLimit: Int { options.bufferLimit }

    var hasUnreadMessages: Bool { state.withLock { !$0.inbox.isEmpty } }

    func takeUnreadMessages() -> [WebSocketMessage] { state.withLock { $0.inbox.takeUnreadMessages() } }

    func reserve(_ size: Int) {
        state.withLock { $0.inbox.reserve(size) }
        requestMessage()
    }

    func failure() async throws(CancellationError) -> NetworkError? {
        try await end.wait()
        return outcome
    }

    func send(_ message: WebSocketMessage) async throws(NetworkError) {
        try checkOpen()
        let size = message.size
        do throws(NetworkError) {
            try state.withLock { state throws(NetworkError) in try state.backlog.add(size) }
        } catch {
            throw error.completed(request: request)
        }
        // At the end of the connection, the system may drop the handlers of messages, as it does those of pings.
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

    /// Sends a ping. Its receipt is settled by the pong, or by the end of the connection.
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
            case .end:
                if let outcome { throw outcome }
                return nil
            case .wait(let arrival):
                do throws(CancellationError) { try await arrival.wait() } catch { throw .cancelled(request) }
            }
        }
    }

    /// Requests a message from the system, unless a request is pending or too many messages wait.
    private func requestMessage() {
        if state.withLock({ $0.inbox.startsRequest() }) { task.receive { [self] in received($0) } }
    }

    func close(with frame: WebSocketClose) async {
        if state.withLock({ $0.ending.closes(with: frame) }) {
            let code = URLSessionWebSocketTask.CloseCode(rawValue: Int(frame.code)) ?? .normalClosure
            task.cancel(with: code, reason: frame.reason.isEmpty ? nil : Data(frame.reason.utf8))
        }
        let timers = TimerQueue(timebase: timebase)
        defer { timers.stop() }
        let deadline = Deadline(in: max(.zero, options.closeTimeout), on: timebase)
        if (try? await end.wait(until: deadline, on: timers)) == nil { task.cancel() }
    }

    func abandon() {
        state.withLock { $0.ending.givesUp(.cancelled(request)) }
        task.cancel()
    }

    // MARK: Callbacks

    func opened(_ negotiatedProtocol: String?) {
        state.withLock { $0.negotiatedProtocol = negotiatedProtocol }
        start.settle(())
    }

    func closed(_ close: WebSocketClose) { state.withLock { $0.ending.closed(close) } }

    func refused(_ problem: TransportFailure.CertificateProblem) { state.withLock { $0.ending.refused(problem) } }

    func ended(_ error: (any Error)?) {
        let (code, reason) = (task.closeCode.rawValue, task.closeReason)
        let (arrival, awaited) = state.withLock { state in
            state.ending.ended(error, closeCode: code, reason: reason)
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
        let message: WebSocketMessage?
        switch result {
        case .failure(let error):
            if state.withLock({ $0.ending.receiveFailed(error) }) == .cancel { task.cancel() }
            return
        case .success(.string(let text)): message = .text(text)
        case .success(.data(let data)): message = .data(data)
        case .success: message = nil
        }
        let arrival = state.withLock { $0.inbox.received(message) }
        arrival.settle(())
        requestMessage()
    }

    // MARK: Results

    private func checkOpen() throws(NetworkError) {
        if Task.isCancelled { throw .cancelled(request) }
        let ending = state.withLock { $0.ending }
        if ending.hasEnded, let outcome { throw outcome }
        if ending.isClosing || ending.hasEnded {
            throw NetworkError(kind: .invalidRequest, reason: "the WebSocket is closed", request: request)
        }
    }

    private func value(of receipt: Receipt) async throws(NetworkError) {
        let result: Result<Void, NetworkError>
        do throws(CancellationError) { result = try await receipt.wait() } catch { throw .cancelled(request) }
        try result.get()
    }

    private func result(_ error: (any Error)?) -> Result<Void, NetworkError> {
        guard let error else { return .success(()) }
        let ending = state.withLock { $0.ending }
        return .failure(ending.reason(of: request, options, hasHead: true, later: error))
    }

    /// The error that a reader receives; `nil` after a normal close.
    private var outcome: NetworkError? { state.withLock { $0.ending }.outcome(of: request, options) }

    /// Why nothing can be sent after the end.
    private var reasonOfEnd: NetworkError { outcome ?? NetworkError.closedWebSocket.completed(request: request) }

    // MARK: Silence

    private func watch(every interval: Duration) async {
        let timers = TimerQueue(timebase: timebase)
        defer { timers.stop() }
        let interval = max(.milliseconds(1), interval)
        while (try? await end.wait(until: Deadline(in: interval, on: timebase), on: timers)) == nil {
            let (arrivals, backlog) = state.withLock { ($0.inbox.arrivals, $0.backlog) }
            if state.withLock({ $0.inbox.isAlive(since: arrivals) }) { continue }
            let receipt = sendPing()
            // The ping gets a whole interval after the messages before it, as long as they are being sent.
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
            state.withLock { $0.ending.givesUp(error) }
            return task.cancel()
        }
    }
}
#endif
