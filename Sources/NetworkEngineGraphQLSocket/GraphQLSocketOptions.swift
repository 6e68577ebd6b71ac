import NetworkEngine
public import NetworkEngineGraphQL
public import NetworkEngineWebSocket

/// How a WebSocket for subscriptions is opened.
///
/// ```swift
/// var options = GraphQLSocketOptions()
/// options.payload = { ["token": .string(try await session.token())] }
/// ```
public struct GraphQLSocketOptions: Sendable {
    /// Returns what the client tells the server at the beginning of each connection; `nil`, the default, for nothing.
    ///
    /// Browsers cannot send headers with a WebSocket, so that many servers expect a token here. A `NetworkError` is a
    /// failure of this connection, so that the next one may be tried. Another error ends the subscriptions.
    public var payload: @Sendable @concurrent () async throws -> [String: GraphQLVariable]? = { nil }
    /// The time that the server has to acknowledge a connection; 10 seconds by default.
    public var acknowledgeTimeout: Duration = .seconds(10)
    /// When a lost connection is replaced; after at most 10 failures in a row by default.
    ///
    /// Add 4401 to its `closeCodes` if another call of `payload` can help a connection that was refused.
    public var reconnecting: ReconnectPolicy
    /// The number of bytes of responses that wait for the reader of a subscription; 16 MiB by default. Each response
    /// counts 64 bytes more than its text.
    ///
    /// A subscription that exceeds it ends with an error of kind `.limit`. The others continue.
    public var bufferLimit = 16 << 20

    /// Creates options with their default values.
    public init() {
        reconnecting = ReconnectPolicy()
        reconnecting.failureLimit = 10
    }
}
