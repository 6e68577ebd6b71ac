import Foundation
public import NetworkEngine

/// When a WebSocket is opened again, and what happens to messages meanwhile.
///
/// ```swift
/// var policy = ReconnectPolicy()
/// policy.unsentMessages = .kept(upTo: 1 << 20)
/// ```
public struct ReconnectPolicy: Sendable {
    /// What becomes of a message that is sent while no connection is open.
    public enum UnsentMessages: Hashable, Sendable {
        /// `send` throws at once.
        case refused
        /// `send` waits for the next connection, as long as the waiting messages have at most this number of bytes.
        case kept(upTo: Int)
    }

    /// Computes the pauses between connections; by default random ones that grow from half a second to 30 seconds.
    public var backoff: Backoff = .exponential(base: .milliseconds(500), cap: .seconds(30))
    /// The longest pause that a server can ask for with `Retry-After`; five minutes by default.
    public var maxRetryAfter: Duration = .seconds(300)
    /// The number of failures in a row after which the socket is closed; `nil`, the default, for no limit.
    public var failureLimit: Int?
    /// The time for which a connection must be open so that its end does not count as another failure in a row; 10
    /// seconds by default.
    public var stableTime: Duration = .seconds(10)
    /// The statuses of a refused handshake after which the next one is tried.
    public var statuses: Set<Int> = [408, 429, 500, 502, 503, 504]
    /// The codes of a server's close frame after which the next connection is opened.
    ///
    /// By default those of a server that goes away or has a problem, and 1005, a close frame without a code. The codes
    /// of a normal end and of a broken rule are not among them, nor are those that an app defines, from 3000 on.
    public var closeCodes: Set<UInt16> = [1001, 1005, 1011, 1012, 1013, 1014]
    /// What becomes of a message that is sent while no connection is open.
    public var unsentMessages: UnsentMessages = .refused
    /// The time for which unread messages of a lost connection delay the next one, after the pause; 2 seconds by
    /// default.
    ///
    /// A reader that reads them in this time knows what is missing when the closure runs. Messages that are still
    /// unread are delivered before those of the next connection. They count against `WebSocketOptions.bufferLimit`.
    /// Messages beyond it that later connections receive until they end are dropped.
    public var readingTime: Duration = .seconds(2)
    /// Whether the messages of the server are dropped. `ReconnectingWebSocket.messages` has none then.
    ///
    /// For a socket that only sends. Without a reader its messages would fill the buffer, and then neither the end of
    /// the connection nor the server's pings are noticed.
    public var ignoresMessages = false
    /// Returns a random number from 0 to 1.
    public var random: @Sendable () -> Double = { .random(in: 0...1) }
    /// Measures the pauses.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// Creates a policy with its default values.
    public init() {}

    /// A policy for a socket that only sends: the messages of the server are dropped.
    public static var ignoringMessages: ReconnectPolicy {
        var policy = ReconnectPolicy()
        policy.ignoresMessages = true
        return policy
    }

    /// Whether another connection can help.
    ///
    /// - Parameters:
    ///   - error: the reason for which a handshake or a connection failed; `nil` for a normal end.
    ///   - closeCode: the code of the close frame, if there was one.
    func allowsNext(after error: NetworkError?, closeCode: UInt16?) -> Bool {
        if let closeCode { return closeCodes.contains(closeCode) }
        return error?.isTemporary(statuses: statuses) ?? false
    }

    /// The pause before the next connection.
    ///
    /// - Parameter failures: the number of failures in a row; at least 1.
    func pause(after error: NetworkError?, failures: Int, previous: Duration?) -> Duration {
        let isThrottled = error.flatMap { RetryCause($0.networkCause ?? $0, statuses: statuses) } == .throttled
        let pause = backoff.pause(
            retry: failures - 1, previous: previous, isThrottled: isThrottled, random: random)
        return max(pause, min(error?.retryAfter ?? .zero, maxRetryAfter))
    }
}
