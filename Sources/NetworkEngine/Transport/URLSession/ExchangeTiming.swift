/// The instants of one exchange, by a clock that nobody sets.
struct ExchangeTiming: Sendable {
    private let handedOver = ContinuousClock.now
    var admitted: ContinuousClock.Instant?
    private var firstByte: ContinuousClock.Instant?
    var ended: ContinuousClock.Instant?

    mutating func noteFirstByte() {
        if firstByte == nil { firstByte = .now }
    }

    func metrics(sent: Int64?, received: Int64) -> ExchangeMetrics {
        ExchangeMetrics(
            queued: admitted.map { $0 - handedOver },
            firstByte: span(to: firstByte),
            total: span(to: ended),
            bytesSent: sent ?? 0,
            bytesReceived: received
        )
    }

    private func span(to end: ContinuousClock.Instant?) -> Duration? {
        guard let admitted, let end else { return nil }
        return end - admitted
    }
}
