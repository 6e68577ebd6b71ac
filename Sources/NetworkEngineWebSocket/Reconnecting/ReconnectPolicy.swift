import Foundation
public import NetworkEngine

/// When to reopen a WebSocket, and how to handle messages until then.
///
/// ```swift
/// var policy = ReconnectPolicy()
/// policy.unsentMessages = .kept(upTo: 1 << 20)
/// ```
public struct ReconnectPolicy: Sendable {
    /// How to handle a message sent while no connection is open.
    public enum UnsentMessages: Hashable, Sendable {
        /// `send` throws immediately.
        case refused
        /// `send` waits for the next connection, as long as the waiting messages don't exceed this number of bytes.
        case kept(upTo: Int)
    }

    /// Computes the delays between connections; by default random ones that grow from half a second to 30 seconds.
    public var backoff: Backoff = .exponential(base: .milliseconds(500), cap: .seconds(30))
    /// The longest `Retry-After` delay to accept from a server; five minutes by default.
    public var maxRetryAfter: Duration = .seconds(300)
    /// The number of consecutive failures that closes the socket; `nil`, the default, for no limit.
    public var failureLimit: Int?
    /// How long a connection must be open so that losing it does not count as another consecutive failure; 10 seconds
    /// by default.
    public var stableTime: Duration = .seconds(10)
    /// The statuses of a refused handshake that are retried.
    public var statuses: Set<Int> = [408, 429, 500, 502, 503, 504]
    /// The server's close codes after which the socket reconnects.
    ///
    /// By default the codes of a server that is shutting down or has a problem, and 1005, a close frame without a code.
    /// The codes for a normal close and a protocol violation are not included, nor are application-defined codes, from
    /// 3000 on.
    public var closeCodes: Set<UInt16> = [1001, 1005, 1011, 1012, 1013, 1014]
    /// How to handle a message sent while no connection is open.
    public var unsentMessages: UnsentMessages = .refused
    /// How long unread messages from a lost connection delay the next one, after the pause; 2 seconds by default.
    ///
    /// If the messages are read within this time, the app can tell which ones are missing when the closure runs.
    /// Messages that are still unread are delivered before the next connection's messages. They count toward
    /// `WebSocketOptions.bufferLimit`. Messages beyond the limit that later connections receive until they end are
    /// dropped.
    public var readingTime: Duration = .seconds(2)
    /// Whether to drop the server's messages. `ReconnectingWebSocket.messages` then has none.
    ///
    /// Use it for a socket that only sends. Without a reader, messages would fill the buffer, and then neither the end
    /// of the connection nor the server's pings would be noticed.
    public var ignoresMessages = false
    /// Returns a random number from 0 to 1.
    public var random: @Sendable () -> Double = { .random(in: 0...1) }
    /// Measures the delays.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// Creates a policy with its default values.
    public init() {}

    /// A policy for a socket that only sends: the server's messages are dropped.
    public static var ignoringMessages: ReconnectPolicy {
        var policy = ReconnectPolicy()
        policy.ignoresMessages = true
        return policy
    }

    /// Whether to open another connection.
    ///
    /// - Parameters:
    ///   - error: the reason that a handshake or a connection failed; `nil` for a normal close.
    ///   - closeCode: the code in the close frame, if there was one.
    func allowsNext(after error: NetworkError?, closeCode: UInt16?) -> Bool {
        if let closeCode { return closeCodes.contains(closeCode) }
        return error?.isTemporary(statuses: statuses) ?? false
    }

    /// The delay before the next connection.
    ///
    /// - Parameter failures: the number of consecutive failures; at least 1.
    func pause(after error: NetworkError?, failures: Int, previous: Duration?) -> Duration {
        let isThrottled = error.flatMap { RetryCause($0.networkCause ?? $0, statuses: statuses) } == .throttled
        let pause = backoff.pause(
            retry: failures - 1, previous: previous, isThrottled: isThrottled, random: random)
        return max(pause, min(error?.retryAfter ?? .zero, maxRetryAfter))
    }
}
