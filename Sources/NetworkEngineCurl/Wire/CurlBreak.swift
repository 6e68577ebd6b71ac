/// Why we ourselves end an exchange that libcurl would go on with.
package enum CurlBreak: Hashable, Sendable {
    case cancelled, interrupted, shutDown
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
