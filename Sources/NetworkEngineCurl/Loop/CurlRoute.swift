import CLibcurl

/// An exchange's route to its server.
struct CurlRoute {
    /// The multi handle.
    var kind: LCMultiKind
    /// Whether the exchange needs an unused connection.
    var isFresh = false
    /// Whether a server has refused the exchange before.
    var isAfterRefusal = false
    /// Whether the exchange's connection was lost before, so that the server may have processed it.
    var isAfterLoss = false
    /// How often the request was sent before.
    var sendings = 0
}

/// The history of sending a request within one exchange.
struct CurlRepetition {
    /// The number of refusals after which a request gets a dedicated connection.
    static let mostRefusals = 2

    /// Whether a connection with the request was lost, so that the server may have processed it.
    var isAfterLoss = false
    /// How often the server has refused the request.
    var refusals = 0
    /// The loop's newest connection at the first sending.
    var newest: UInt64 = 0
    /// The number of connections that were opened for the exchange until its first sending.
    var connects = 0
}
