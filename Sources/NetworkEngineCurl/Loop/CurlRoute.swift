import CLibcurl

/// The route of an exchange to its server.
struct CurlRoute {
    /// The multi handle.
    var kind: LCMultiKind
    /// Whether the exchange needs an unused connection.
    var isFresh = false
    /// Whether a server has refused the exchange before.
    var isAfterRefusal = false
}
