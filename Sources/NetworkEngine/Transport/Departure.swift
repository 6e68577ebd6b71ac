/// Decides whether a request may be sent, and is notified when it has been sent.
///
/// A sign-out rejects its user's requests that have not been sent, and waits for those that are being sent.
package protocol Departure: Sendable {
    /// Returns the error for a request that must no longer be sent; `nil` if it may.
    func refusal(of request: HTTPRequest) -> NetworkError?

    /// Called when the request is about to be sent. Every call without an error is followed by `end()`.
    ///
    /// - Returns: the error for a request that must no longer be sent.
    func begin(_ request: HTTPRequest) -> NetworkError?

    /// Called when the server has received the request or will never receive it.
    func end()
}
