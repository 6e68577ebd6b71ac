/// What an engine holds of an exchange, as its transport sees it.
package protocol ExchangeHand: Sendable {
    /// The exchange is under way: the time without a byte starts.
    func startTime()

    /// Bytes of the exchange were sent or received: the time without one starts again.
    func bytesMoved()

    /// Registers what to do when the exchange must stop.
    func onInterruption(_ action: @escaping @Sendable () -> Void)

    /// The reader of a streamed body waits for bytes.
    func silenceBegan()

    /// The reader waits no more.
    func silenceEnded()

    /// Nothing follows of a streamed body.
    func streamEnded()
}

/// A hand that does nothing about streamed bodies, which outlive what it holds.
extension ExchangeHand {
    package func silenceBegan() {}
    package func silenceEnded() {}
    package func streamEnded() {}
}
