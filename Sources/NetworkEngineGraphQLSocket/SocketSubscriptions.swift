import Foundation
import NetworkEngine
import NetworkEngineWebSocket

/// The subscriptions over one reconnecting WebSocket, and the messages to send.
struct SocketSubscriptions {
    private struct Entry {
        let body: Data
        let inbox: SubscriptionInbox
        /// Whether the subscription was sent over this connection.
        var isSent = false
    }

    /// A message waiting to be sent.
    private enum Outgoing: Hashable, Sendable {
        case subscribe(String)
        case complete(String)
        case pong
    }

    /// The next step after a change, to be performed outside the lock.
    enum Next {
        case nothing
        case send
        /// The last subscription has ended. The waiting messages must be sent first, unless they are already being
        /// sent.
        case close(sending: Bool)
    }

    private var entries: [String: Entry] = [:]
    private var count = 0
    private var isClosed = false
    /// The acknowledged connection.
    private var socket: WebSocket?
    private var outgoing = WebSocketQueue<Outgoing>()
    private var isPongWaiting = false
    private(set) var isSending = false

    // MARK: Subscriptions

    /// Adds a subscription, and returns its identifier; `nil` if the socket is closing.
    mutating func add(_ body: Data, _ inbox: SubscriptionInbox) -> (id: String, next: Next)? {
        if isClosed { return nil }
        count += 1
        let id = String(count)
        entries[id] = Entry(body: body, inbox: inbox)
        return (id, enqueue(.subscribe(id)))
    }

    /// Whether the socket is opened for this subscription.
    func isFirst(_ id: String) -> Bool { id == "1" }

    /// The inbox for a response from the server.
    func inbox(of id: String) -> SubscriptionInbox? { entries[id]?.inbox }

    /// The server has ended a subscription.
    mutating func completed(_ id: String) -> (SubscriptionInbox?, Next) {
        guard let entry = entries.removeValue(forKey: id) else { return (nil, .nothing) }
        return (entry.inbox, afterRemoval())
    }

    /// A subscription no longer has a reader.
    mutating func abandon(_ id: String) -> Next {
        guard let entry = entries.removeValue(forKey: id) else { return .nothing }
        var next = Next.nothing
        if entry.isSent {
            next = enqueue(.complete(id))
        } else {
            outgoing.remove { $0 == .subscribe(id) }
        }
        guard case .close = afterRemoval() else { return next }
        if case .send = next { return .close(sending: true) }
        return .close(sending: false)
    }

    private mutating func afterRemoval() -> Next {
        guard entries.isEmpty, !isClosed else { return .nothing }
        isClosed = true
        return .close(sending: false)
    }

    /// Ends all subscriptions. Returns their inboxes, and the connection to release.
    mutating func close() -> ([SubscriptionInbox], WebSocket?) {
        isClosed = true
        defer { entries = [:] }
        return (entries.values.map(\.inbox), socket.take())
    }

    // MARK: The connection

    /// A connection was opened. Nothing is sent until it is acknowledged. Returns the previous one.
    mutating func opening() -> WebSocket? {
        (outgoing, isPongWaiting) = (WebSocketQueue(), false)
        return socket.take()
    }

    /// A connection is acknowledged. All subscriptions are sent to the server.
    mutating func acknowledged(_ socket: WebSocket) -> Next {
        if isClosed { return .nothing }
        self.socket = socket
        for id in entries.keys.sorted(by: { ($0.count, $0) < ($1.count, $1) }) {
            entries[id]?.isSent = false
            outgoing.append(.subscribe(id), size: 1)
        }
        return startSending()
    }

    /// The server has sent a ping. One pong answers all waiting pings.
    mutating func pinged() -> Next {
        // The ping can be the last message of a connection that has ended. Its pong must not be sent over the next one.
        guard socket != nil, !isPongWaiting else { return .nothing }
        isPongWaiting = true
        return enqueue(.pong)
    }

    private mutating func enqueue(_ message: Outgoing) -> Next {
        guard socket != nil else { return .nothing }
        outgoing.append(message, size: 1)
        return startSending()
    }

    private mutating func startSending() -> Next {
        if isSending || outgoing.isEmpty { return .nothing }
        isSending = true
        return .send
    }

    /// The next message to send; `nil` if there is none now.
    mutating func nextOutgoing() -> (WebSocket, ClientMessage)? {
        while let socket, let message = outgoing.popFirst() {
            switch message {
            case .subscribe(let id):
                guard let entry = entries[id] else { continue }
                entries[id]?.isSent = true
                return (socket, .subscribe(id, entry.body))
            case .complete(let id): return (socket, .complete(id))
            case .pong:
                isPongWaiting = false
                return (socket, .pong)
            }
        }
        isSending = false
        return nil
    }
}
