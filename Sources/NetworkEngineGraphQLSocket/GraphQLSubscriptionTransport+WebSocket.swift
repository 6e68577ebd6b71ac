import Foundation
public import NetworkEngine
public import NetworkEngineGraphQL

extension GraphQLSubscriptionTransport {
    /// One WebSocket for all of a client's subscriptions (`graphql-transport-ws`).
    ///
    /// ```swift
    /// let client = GraphQLClient(httpClient: httpClient, subscriptions: .webSocket())
    /// ```
    /// The HTTP client opens the WebSocket, with its interceptors, for the first subscription. If the connection is
    /// lost, it is reopened, and the subscriptions are sent to the server again. It is closed when the last
    /// subscription has ended. Subscriptions that begin after a sign-out from a `TokenRefresher`, or after a first
    /// sign-in, use a separate WebSocket.
    ///
    /// - Parameter path: the path of the WebSocket endpoint; `nil` for the client's.
    public static func webSocket(
        path: EndpointPath? = nil,
        _ options: GraphQLSocketOptions = GraphQLSocketOptions()
    ) -> Self {
        Self { context in
            let socket = SubscriptionSocket {
                SubscriptionSession(context.httpClient, path: path ?? context.path, options: options)
            }
            return { operation throws(GraphQLError) in
                let body = try context.body(of: operation)
                return { SocketReader(socket, body, limit: options.bufferLimit) }
            }
        }
    }
}

/// The session for a client's subscriptions. A new one starts after each end, and for another user.
private final class SubscriptionSocket: Sendable {
    private let session = Locked<SubscriptionSession?>(nil)
    private let makeSession: @Sendable () -> SubscriptionSession

    init(_ makeSession: @escaping @Sendable () -> SubscriptionSession) { self.makeSession = makeSession }

    private var current: SubscriptionSession {
        let known = session.withLock { $0 }
        if let known, known.isOfCurrentUser { return known }
        // The current one continues for its existing subscriptions.
        let new = makeSession()
        return session.withLock { session in
            if let session, session !== known { return session }
            session = new
            return new
        }
    }

    func subscribe(_ body: Data, _ inbox: SubscriptionInbox) -> (SubscriptionSession, id: String) {
        while true {
            let current = self.current
            if let id = current.subscribe(body, inbox) { return (current, id) }
            session.withLock { if $0 === current { $0 = nil } }
        }
    }
}

/// Receives the responses to one subscription. Releasing it ends the subscription.
private final class SocketReader: SubscriptionReader {
    private enum Phase {
        case idle
        case subscribed(SubscriptionSession, id: String)
        case ended
    }

    private let socket: SubscriptionSocket
    private let body: Data
    private let inbox: SubscriptionInbox
    private var phase = Phase.idle

    init(_ socket: SubscriptionSocket, _ body: Data, limit: Int) {
        (self.socket, self.body) = (socket, body)
        inbox = SubscriptionInbox(limit: limit)
    }

    deinit { end() }

    @concurrent
    func next() async throws(GraphQLError) -> Data? {
        switch phase {
        case .ended: return nil
        case .subscribed: break
        case .idle:
            if Task.isCancelled { throw GraphQLError(kind: .network, networkError: NetworkError(kind: .cancelled)) }
            let (session, id) = socket.subscribe(body, inbox)
            phase = .subscribed(session, id: id)
        }
        do throws(NetworkError) {
            return try await inbox.next()
        } catch {
            // A canceled task stops reading as well.
            end()
            throw GraphQLError(kind: .network, networkError: error)
        }
    }

    private func end() {
        if case .subscribed(let session, let id) = phase { session.abandon(id) }
        phase = .ended
    }
}
