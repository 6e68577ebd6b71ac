import NetworkEngine

/// Responses that arrive before the request has ended.
extension CurlSlot {
    /// Whether a response has arrived while libcurl waits for bytes to send. libcurl does not notice that it can stop.
    var isAnsweredEarly: Bool { awaitsBytes && head.isComplete }

    /// Whether the whole response to a conversation has arrived over HTTP/1.1. libcurl would continue sending before it
    /// ends the exchange, possibly for hours, but no longer waits for bytes on an open connection.
    var hasWholeResponse: Bool { mayBeWhole && !isHalted && !isResting && isAtRest }

    private var mayBeWhole: Bool {
        isAnsweredEarly && head.isVersion1 && !stopsItself && task?.upload?.isConversation == true
    }

    /// Whether libcurl stops sending after the response, and then detects whether all chunks have arrived.
    private var stopsItself: Bool { head.statusCode >= 300 || head.endsConnection }

    /// Whether libcurl must check again whether it can stop, because it checks only when it has bytes to send.
    var mustLookAgain: Bool { isAnsweredEarly && !mayBeWhole }

    /// The code for a connection that the server closed while libcurl waited for bytes to send.
    ///
    /// `nil` if libcurl reports the end itself.
    var codeOfHangUp: Int32? {
        if isHalted || (head.isComplete && head.isChunked && stopsItself) { return nil }
        if !head.isComplete { return 52 }
        let isWhole = body.length.map { body.received >= $0 } ?? !head.isChunked
        return isWhole ? 0 : 18
    }
}

/// The state of a response body.
extension CurlSlot {
    /// Whether libcurl keeps body bytes that it could not pass on.
    var isHalted: Bool { body.isHalted }

    /// Whether decoding the body continues after the other exchanges.
    var isResting: Bool { task != nil && body.isResting }

    /// Whether the exchange ended with the last bytes that were passed on.
    var hasEnded: Bool { task != nil && isOver }
}
