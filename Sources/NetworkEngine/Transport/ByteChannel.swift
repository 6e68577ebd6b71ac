/// A connection that carries bytes in both directions.
package protocol ByteChannel: AnyObject, Sendable {
    /// The next bytes; `nil` when the other end has finished. One task at a time may wait.
    func receive() async throws(NetworkError) -> [UInt8]?
    /// Sends bytes after those of earlier calls, and returns when the system has taken them.
    func send(_ bytes: [UInt8]) async throws(NetworkError)
    /// Closes the connection. Waiting calls and later ones end: they throw, or receive `nil`.
    func close()
}
