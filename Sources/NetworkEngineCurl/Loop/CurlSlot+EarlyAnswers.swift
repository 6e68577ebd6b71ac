import NetworkEngine

/// Responses that arrive before the request has ended.
extension CurlSlot {
    /// Whether a response has arrived while libcurl waits for bytes to send. libcurl does not notice that it can stop.
    var isAnsweredEarly: Bool { awaitsBytes && head.isComplete }

    /// Whether the whole response has arrived by HTTP/1.1. libcurl would go on to send before it ends the exchange, also
    /// for hours, but waits for no more bytes on a connection that is open.
    var hasWholeResponse: Bool { isAnsweredEarly && head.isVersion1 && !isHalted && !isResting && isAtRest }

    /// Whether libcurl must be asked again whether it can stop: it looks only when it has bytes to send.
    var mustLookAgain: Bool { isAnsweredEarly && !(head.isVersion1 && (200..<300).contains(head.statusCode)) }

    /// The code of a connection that the server has closed while libcurl waited for bytes to send.
    ///
    /// `nil` if libcurl reports the end itself: it stops sending after an error, and then knows whether all chunks have
    /// arrived.
    var codeOfHangUp: Int32? {
        if isHalted || (head.isComplete && head.isChunked && head.statusCode >= 300) { return nil }
        if !head.isComplete { return 52 }
        let isWhole = body.length.map { body.received >= $0 } ?? !head.isChunked
        return isWhole ? 0 : 18
    }
}
