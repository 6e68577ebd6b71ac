/// Why we ourselves end an exchange that libcurl would go on with.
package enum CurlBreak: Hashable, Sendable {
    case cancelled, interrupted, shutDown
    /// The event loop failed, for a reason of the system.
    case loopFailed(String)
    /// libcurl has sent two requests on one connection by HTTP/1.1, so that nothing tells whose a response is.
    case mixedUp
    /// libcurl has sent the request again behind a complete head.
    case repeated
    /// A redirect is followed, and the rest of its body is dropped.
    case followed
    case bodyTooLarge(limit: Int64)
    case headTooLarge(limit: Int)
    case backlogFull(limit: Int64)
    case violation(String)
    case coding(String)
    case cannotStore
    case cannotRead
    case pinMismatch
    /// libcurl does not take an option that the configuration asks for.
    case unsupported(String)
}
