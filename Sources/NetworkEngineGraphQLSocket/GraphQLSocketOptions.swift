import NetworkEngine
public import NetworkEngineGraphQL
public import NetworkEngineWebSocket

/// How to open a WebSocket for subscriptions.
///
/// ```swift
/// var options = GraphQLSocketOptions()
/// options.payload = { ["token": .string(try await session.token())] }
/// ```
public struct GraphQLSocketOptions: Sendable {
    /// Returns the `connection_init` payload for each connection; `nil`, the default, for none.
    ///
    /// Browsers cannot send headers with a WebSocket, so many servers expect a token here. If it throws a
    /// `NetworkError`, this connection fails and the next one may be tried. Any other error ends the subscriptions.
    public var payload: @Sendable @concurrent () async throws -> [String: GraphQLVariable]? = { nil }
    /// How long the server may take to acknowledge a connection; 10 seconds by default.
    public var acknowledgeTimeout: Duration = .seconds(10)
    /// When to replace a lost connection; by default until 10 consecutive failures.
    ///
    /// If a rejected connection can succeed with a new `payload`, add 4401 to `closeCodes`.
    public var reconnecting: ReconnectPolicy
    /// The number of bytes of responses waiting for a subscription's reader; 16 MiB by default. Each response counts as
    /// 64 bytes more than its text.
    ///
    /// A subscription that exceeds it ends with a `.limit` error. The others continue.
    public var bufferLimit = 16 << 20

    /// Creates options with their default values.
    public init() {
        reconnecting = ReconnectPolicy()
        reconnecting.failureLimit = 10
    }
}
