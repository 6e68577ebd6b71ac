import NetworkEngine

/// Responses that arrive before the request has ended.
extension CurlSlot {
    /// Whether a response has arrived while libcurl waits for bytes to send. libcurl does not notice that it can stop.
    var isAnsweredEarly: Bool { awaitsBytes && head.isComplete }

    /// Whether the whole response to a conversation has arrived by HTTP/1.1. libcurl would go on to send before it ends
    /// the exchange, also for hours, but waits for no more bytes on a connection that is open.
    var hasWholeResponse: Bool { mayBeWhole && !isHalted && !isResting && isAtRest }

    private var mayBeWhole: Bool {
        isAnsweredEarly && head.isVersion1 && !stopsItself && task?.upload?.isConversation == true
    }

    /// Whether libcurl sends no more after the response, and then knows whether all chunks have arrived.
    private var stopsItself: Bool { head.statusCode >= 300 || head.endsConnection }

    /// Whether libcurl must be asked again whether it can stop: it looks only when it has bytes to send.
    var mustLookAgain: Bool { isAnsweredEarly && !mayBeWhole }

    /// The code of a connection that the server has closed while libcurl waited for bytes to send.
    ///
    /// `nil` if libcurl reports the end itself.
    var codeOfHangUp: Int32? {
        if isHalted || (head.isComplete && head.isChunked && stopsItself) { return nil }
        if !head.isComplete { return 52 }
        let isWhole = body.length.map { body.received >= $0 } ?? !head.isChunked
        return isWhole ? 0 : 18
    }
}

/// The state of a response's body.
extension CurlSlot {
    /// Whether libcurl keeps bytes of the body that it could not pass on.
    var isHalted: Bool { body.isHalted }

    /// Whether the body is decoded further after the other exchanges.
    var isResting: Bool { task != nil && body.isResting }

    /// Whether the exchange ended with the last bytes that were passed on.
    var hasEnded: Bool { task != nil && isOver }
}
