import Foundation
import NetworkEngine
import NetworkEngineGraphQL
import NetworkEngineWebSocket

/// Subscriptions over one WebSocket, from the first one until the last one has ended.
final class SubscriptionSession: Sendable {
    private static let protocolName = "graphql-transport-ws"

    private struct State {
        var subscriptions = SocketSubscriptions()
        var socket: ReconnectingWebSocket?
        var isEnded = false
        /// Signaled when no message is being sent.
        var rest: OneShot<Void>?
    }

    private let httpClient: any HTTPClientContract
    private let path: EndpointPath
    private let options: GraphQLSocketOptions
    private let timebase: Timebase
    private let user: CallSession
    private let state = Locked(State())

    init(_ httpClient: any HTTPClientContract, path: EndpointPath, options: GraphQLSocketOptions) {
        (self.httpClient, self.path, self.options) = (httpClient, path, options)
        user = httpClient.sessionOfUser
        timebase = .reading(options.reconnecting.clock)
    }

    /// Whether its connection belongs to the currently signed-in user.
    var isOfCurrentUser: Bool { user.isOfCurrentUser }

    // MARK: Subscriptions

    /// Adds a subscription, and returns its identifier; `nil` if the session has ended.
    func subscribe(_ body: Data, _ inbox: SubscriptionInbox) -> String? {
        let added = state.withLock { state in
            state.subscriptions.add(body, inbox).map { ($0.id, $0.next, state.subscriptions.isFirst($0.id)) }
        }
        guard let (id, next, isFirst) = added else { return nil }
        if isFirst { Task.detached { [self] in await run() } }
        perform(next)
        return id
    }

    /// Ends a subscription that no longer has a reader.
    func abandon(_ id: String) { perform(state.withLock { $0.subscriptions.abandon(id) }) }

    private func perform(_ next: SocketSubscriptions.Next) {
        switch next {
        case .nothing: break
        case .send: Task.detached { [self] in await send() }
        case .close(let sends): Task.detached { [self] in await close(after: sends) }
        }
    }

    /// Sends the waiting messages. Messages that a lost connection did not accept are created again for the next one.
    private func send() async {
        while let (socket, message) = state.withLock({ $0.subscriptions.nextOutgoing() }) {
            do throws(NetworkError) {
                try await socket.send(message.text)
            } catch {
                guard error.kind == .limit, case .subscribe(let id, _) = message else { continue }
                complete(id, .failure(error))
            }
        }
        state.withLock { $0.rest.take() }?.settle(())
    }

    // MARK: The connection

    /// Opens the socket, and receives messages until it closes.
    private func run() async {
        let socket = httpClient.webSocket(
            .get(path), protocols: [Self.protocolName], reconnecting: options.reconnecting, of: user
        ) { [self] in
            try await initialize($0)
        }
        let isEnded = state.withLock { state in
            if !state.isEnded { state.socket = socket }
            return state.isEnded
        }
        if isEnded { return await socket.close() }
        do throws(NetworkError) {
            for try await message in socket.messages {
                do throws(ServerMessage.Invalid) {
                    try receive(ServerMessage(message))
                } catch {
                    end(.invalidMessage)
                    await socket.close(code: 4400, reason: "Invalid message")
                }
            }
            end(NetworkError(.lostMidBody, reason: "the server closed the connection of the subscriptions"))
        } catch {
            end(error)
        }
    }

    /// Initializes the connection, and waits for the server's acknowledgment.
    private func initialize(_ socket: WebSocket) async throws {
        guard socket.negotiatedProtocol == Self.protocolName else {
            throw NetworkError(.protocolViolation, reason: "the server does not speak \(Self.protocolName)")
        }
        let previous = state.withLock { $0.subscriptions.opening() }
        withExtendedLifetime(previous) {}
        let payload = try await options.payload().map { try JSONEncoder().encode($0) }
        try checkUser(of: socket)
        try await socket.send(ClientMessage.initialization(payload).text)
        try await waitForAcknowledgment(socket)
        try checkUser(of: socket)
        perform(state.withLock { $0.subscriptions.acknowledged(socket) })
    }

    /// The payload can belong to a user who has signed in since, but the subscriptions belong to another one.
    private func checkUser(of socket: WebSocket) throws(NetworkError) {
        if user.hasEnded { throw .authentication(.signedOut, request: socket.response.request) }
    }

    private func waitForAcknowledgment(_ socket: WebSocket) async throws {
        let (timebase, timeout) = (timebase, options.acknowledgeTimeout)
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await Self.receiveAcknowledgment(socket) }
            group.addTask {
                try await timebase.sleep(for: timeout)
                let reason = "the server did not acknowledge the connection within \(timeout)"
                throw NetworkError(.timeout(.response), reason: reason)
            }
            try await group.next()
        }
    }

    private static func receiveAcknowledgment(_ socket: WebSocket) async throws(NetworkError) {
        for try await message in socket.messages {
            switch try? ServerMessage(message) {
            case .acknowledgment: return
            case .ping: try await socket.send(ClientMessage.pong.text)
            case .pong: continue
            default: throw .invalidMessage
            }
        }
        let close = socket.closeCode.map { WebSocketClose(code: $0, reason: socket.closeReason ?? "") }
        let reason = "the server closed the connection without acknowledging it"
        throw NetworkError(.lostBeforeResponse, reason: reason, underlying: close)
    }

    private func receive(_ message: ServerMessage) {
        switch message {
        case .acknowledgment, .pong: break
        case .ping: perform(state.withLock { $0.subscriptions.pinged() })
        case .next(let id, let body): deliver(body, to: id)
        case .error(let id, let body):
            deliver(body, to: id)
            complete(id)
        case .complete(let id): complete(id)
        }
    }

    /// Responses to a subscription that has since ended are ignored.
    private func deliver(_ body: Data, to id: String) {
        guard let inbox = state.withLock({ $0.subscriptions.inbox(of: id) }), !inbox.add(body) else { return }
        let reason = "more than \(options.bufferLimit) bytes of responses wait for a reader"
        inbox.end(.failure(NetworkError(kind: .limit, reason: reason)))
        abandon(id)
    }

    private func complete(_ id: String, _ result: Result<Void, NetworkError> = .success(())) {
        let (inbox, next) = state.withLock { $0.subscriptions.completed(id) }
        inbox?.end(result)
        perform(next)
    }

    // MARK: The end

    /// Closes the socket after the last subscription.
    ///
    /// - Parameter sends: whether to send the last messages here. Otherwise they are already being sent.
    private func close(after sends: Bool) async {
        await withTaskGroup { group in
            group.addTask { [self] in
                if sends { return await send() }
                let rest = state.withLock { state -> OneShot<Void>? in
                    guard state.subscriptions.isSending else { return nil }
                    state.rest = state.rest ?? OneShot()
                    return state.rest
                }
                try? await rest?.wait()
            }
            // A server that stops reading does not keep the socket open.
            group.addTask { [timebase] in try? await timebase.sleep(for: .seconds(1)) }
            await group.next()
            group.cancelAll()
        }
        let socket = state.withLock { state in
            state.isEnded = true
            return state.socket.take()
        }
        await socket?.close()
    }

    /// Ends all subscriptions with an error.
    private func end(_ error: NetworkError) {
        // Objects are released outside the lock.
        let (inboxes, connection, socket) = state.withLock { state in
            state.isEnded = true
            let (inboxes, connection) = state.subscriptions.close()
            return (inboxes, connection, state.socket.take())
        }
        withExtendedLifetime((connection, socket)) {}
        for inbox in inboxes { inbox.end(.failure(error)) }
    }
}

extension NetworkError {
    fileprivate static var invalidMessage: NetworkError {
        NetworkError(.protocolViolation, reason: "the server sent a message that graphql-transport-ws does not have")
    }
}
