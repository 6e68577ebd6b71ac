#if !canImport(FoundationNetworking)
import Foundation
import NetworkEngine

/// The session for a transport's WebSockets. Its tasks have separate callbacks.
final class WebSocketSession: UpgradeSession {
    private struct State {
        var sockets: [Int: WebSocketTask] = [:]
        /// Tasks being created. Creating one on an invalidated session crashes the process.
        var pending = 0
        var isClosed = false

        var isDrained: Bool { isClosed && pending == 0 && sockets.isEmpty }
    }

    private let session: URLSession
    private let state: Locked<State>

    init(_ configuration: URLSessionConfiguration, security: SessionSecurity) {
        let state = Locked(State())
        self.state = state
        let delegate = Delegate(security: security) { task in state.withLock { $0.sockets[task] } }
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    func upgrade(_ request: HTTPRequest, to offer: any UpgradeOffer) throws(NetworkError) -> any SessionUpgrade {
        guard let offer = offer as? WebSocketOffer else {
            throw .unsupported("the session opens WebSockets only", request: request)
        }
        var wire = request.wireWithoutBody
        wire.url = wire.url?.withWebSocketScheme
        if !offer.protocols.isEmpty {
            wire.setValue(offer.protocols.joined(separator: ", "), forHTTPHeaderField: "Sec-WebSocket-Protocol")
        }
        wire.setValue(nil, forHTTPHeaderField: "Accept-Encoding")
        let isOpen = state.withLock { state in
            if !state.isClosed { state.pending += 1 }
            return !state.isClosed
        }
        guard isOpen else { throw NetworkError.transportIsShutDown.completed(request: request) }
        let task = session.webSocketTask(with: wire)
        let socket = WebSocketTask(task, request: request, offer: offer) { [self] in remove(task.taskIdentifier) }
        let isClosed = state.withLock { state in
            state.pending -= 1
            state.sockets[task.taskIdentifier] = socket
            return state.isClosed
        }
        if isClosed { socket.abandon() }
        return socket
    }

    /// Closes all sockets, and invalidates the session when the last task has ended.
    func shutDown() {
        let (sockets, isDrained) = state.withLock { state in
            state.isClosed = true
            return (Array(state.sockets.values), state.isDrained)
        }
        for socket in sockets { socket.abandon() }
        if isDrained { session.finishTasksAndInvalidate() }
    }

    private func remove(_ task: Int) {
        let isDrained = state.withLock { state in
            state.sockets[task] = nil
            return state.isDrained
        }
        if isDrained { session.finishTasksAndInvalidate() }
    }

    /// Forwards the session's callbacks to the socket of their task.
    private final class Delegate: NSObject, URLSessionWebSocketDelegate {
        private let security: SessionSecurity
        private let socket: @Sendable (Int) -> WebSocketTask?

        init(security: SessionSecurity, socket: @escaping @Sendable (Int) -> WebSocketTask?) {
            self.security = security
            self.socket = socket
        }

        func urlSession(
            _ session: URLSession,
            webSocketTask: URLSessionWebSocketTask,
            didOpenWithProtocol protocol: String?
        ) {
            socket(webSocketTask.taskIdentifier)?.opened(`protocol`)
        }

        func urlSession(
            _ session: URLSession,
            webSocketTask: URLSessionWebSocketTask,
            didCloseWith closeCode: URLSessionWebSocketTask.CloseCode,
            reason: Data?
        ) {
            socket(webSocketTask.taskIdentifier)?.closed(
                WebSocketClose(reportedBySystem: closeCode.rawValue, reason: reason))
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest,
            completionHandler: @escaping (URLRequest?) -> Void
        ) {
            completionHandler(nil)
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            let socket = socket(task.taskIdentifier)
            let answer = security.answer(challenge, isForeign: socket?.isForeign ?? true)
            if let problem = answer.refusal { socket?.refused(problem) }
            completionHandler(answer.disposition, answer.credential)
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            socket(task.taskIdentifier)?.ended(error)
        }
    }
}
#endif
