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
    /// Closes the connection. Waiting calls and later ones end: they throw, or receive `nil`.
    func close()
}

extension ByteChannel {
    package var sendsAtOnce: Bool { false }

    package func begin(_ bytes: [UInt8]) throws(NetworkError) -> OneShot<Result<Void, NetworkError>>? {
        throw .unsupported("the channel has no way to send at once")
    }
}
