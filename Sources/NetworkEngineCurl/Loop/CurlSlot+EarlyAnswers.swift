import NetworkEngine

/// Responses that arrive before the request has ended.
extension CurlSlot {
    /// Whether a response has arrived while libcurl waits for bytes to send. libcurl does not notice that it can stop.
    var isAnsweredEarly: Bool { awaitsBytes && head.isComplete }

    /// The milliseconds after which libcurl looks again whether it can stop. A response that is read while the request is
    /// written may be silent for hours.
    func lookInterval(at now: Moment) -> Int32 {
        let isConversation = (200..<300).contains(head.statusCode) && task?.exchange.context.streamsBody == true
        return isConversation && now - lastMoved > .seconds(1) ? 250 : 10
    }

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
