#if !canImport(FoundationNetworking)
package import Foundation

/// A session of the system for connections that leave HTTP.
package protocol UpgradeSession: AnyObject, Sendable {
    /// Begins an exchange. Throws if the session is shut down.
    func upgrade(_ request: HTTPRequest, to offer: any UpgradeOffer) throws(NetworkError) -> any SessionUpgrade
    /// Ends all connections.
    func shutDown()
}

/// An exchange of a session that leaves HTTP.
package protocol SessionUpgrade: AnyObject, Sendable {
    /// Returns a response with the connection, or a refusal.
    func open() async throws(NetworkError) -> HTTPResponse
    /// Ends the exchange, or its connection.
    func abandon()
}
#endif

/// A protocol that an exchange asks for in place of HTTP, such as WebSocket.
///
/// The answer has the status 101 and an `UpgradedConnection`, or refuses.
package protocol UpgradeOffer: Sendable {
    /// Throws `.invalidRequest` for a request that cannot ask for the protocol.
    func check(_ request: HTTPRequest) throws(NetworkError)
    /// Returns an address with the scheme `http` or `https` in place of the protocol's own.
    func address(_ text: String) -> String
    /// Asks over an open connection.
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
    /// A session for requests that ask for the protocol.
    func makeSession(_ configuration: URLSessionConfiguration, security: SessionSecurity) -> any UpgradeSession
    #endif
}

/// A connection that carries bytes in both directions.
package protocol ByteChannel: AnyObject, Sendable {
    /// The next bytes; `nil` when the other end has finished. One task at a time may wait.
    func receive() async throws(NetworkError) -> [UInt8]?
    /// Sends bytes after those of earlier calls, and returns when the system has taken them.
    func send(_ bytes: [UInt8]) async throws(NetworkError)
    /// Sends bytes after those of earlier calls, as many as possible at once.
    ///
    /// - Returns: `nil` if the system has taken all bytes; otherwise the result of sending the rest.
    func begin(_ bytes: [UInt8]) throws(NetworkError) -> OneShot<Result<Void, NetworkError>>?
    /// Whether `begin(_:)` usually sends without help of another thread.
    var sendsAtOnce: Bool { get }
    /// The number of bytes that the system has taken in all; 0 if the channel does not know.
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
