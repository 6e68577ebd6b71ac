#if !canImport(FoundationNetworking)
package import Foundation

/// A system session for connections that switch from HTTP to another protocol.
package protocol UpgradeSession: AnyObject, Sendable {
    /// Starts an exchange. Throws if the session is shut down.
    func upgrade(_ request: HTTPRequest, to offer: any UpgradeOffer) throws(NetworkError) -> any SessionUpgrade
    /// Closes all connections.
    func shutDown()
}

/// A session's exchange that switches from HTTP to another protocol.
package protocol SessionUpgrade: AnyObject, Sendable {
    /// Returns a response with the connection, or a rejection.
    func open() async throws(NetworkError) -> HTTPResponse
    /// Ends the exchange, or closes its connection.
    func abandon()
}
#endif

/// A protocol that an exchange requests instead of HTTP, such as WebSocket.
///
/// The response has the status 101 and an `UpgradedConnection`, or is a rejection.
package protocol UpgradeOffer: Sendable {
    /// Throws `.invalidRequest` for a request that cannot switch to the protocol.
    func check(_ request: HTTPRequest) throws(NetworkError)
    /// Returns a URL with the scheme `http` or `https` instead of the protocol's own.
    func address(_ text: String) -> String
    /// Requests the protocol over an open connection.
    ///
    /// - Parameters:
    ///   - userAgent: the `User-Agent`, unless the request has its own.
    ///   - activity: called when bytes were sent or received.
    func response(
        to request: HTTPRequest,
        over channel: any ByteChannel,
        userAgent: String?,
        activity: @escaping @Sendable () -> Void
    ) async throws(NetworkError) -> HTTPResponse
    #if !canImport(FoundationNetworking)
    /// A session for requests that switch to the protocol.
    func makeSession(_ configuration: URLSessionConfiguration, security: SessionSecurity) -> any UpgradeSession
    #endif
}

/// A connection that carries bytes in both directions.
package protocol ByteChannel: AnyObject, Sendable {
    /// The next bytes; `nil` when the other end has finished. Only one task at a time may wait.
    func receive() async throws(NetworkError) -> [UInt8]?
    /// Sends bytes after those of earlier calls, and returns when the system has accepted them.
    func send(_ bytes: [UInt8]) async throws(NetworkError)
    /// Sends bytes after those of earlier calls, as many as possible without waiting.
    ///
    /// - Returns: `nil` if the system has accepted all bytes; otherwise the result of sending the rest.
    func begin(_ bytes: [UInt8]) throws(NetworkError) -> OneShot<Result<Void, NetworkError>>?
    /// Whether `begin(_:)` usually sends without another thread.
    var sendsAtOnce: Bool { get }
    /// The total number of bytes that the system has accepted; 0 if the channel cannot count them.
    var taken: Int { get }
    /// Closes the connection. Waiting calls and later ones end: they throw, or receive `nil`.
    func close()
}

extension ByteChannel {
    package var sendsAtOnce: Bool { false }

    package var taken: Int { 0 }

    package func begin(_ bytes: [UInt8]) throws(NetworkError) -> OneShot<Result<Void, NetworkError>>? {
        throw .unsupported("the channel has no way to send at once")
    }
}
