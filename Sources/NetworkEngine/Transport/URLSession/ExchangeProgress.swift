/// Tells the caller how far an exchange has come, in both directions.
package final class ExchangeProgress: Sendable {
    private struct Meters {
        var sending: ProgressMeter
        var receiving: ProgressMeter
    }

    private let meters: Locked<Meters>
    private let report: @Sendable (TransferProgress) -> Void

    package init(attempt: Int, report: @escaping @Sendable (TransferProgress) -> Void) {
        meters = Locked(
            Meters(
                sending: ProgressMeter(.sending, attempt: attempt),
                receiving: ProgressMeter(.receiving, attempt: attempt)
            )
        )
        self.report = report
    }

    package func sent(_ count: Int64, of total: Int64?) {
        if let step = meters.withLock({ $0.sending.step(to: count, of: total) }) { report(step) }
    }

    package func received(_ count: Int64, of total: Int64?, isLast: Bool = false) {
        if let step = meters.withLock({ $0.receiving.step(to: count, of: total, isLast: isLast) }) { report(step) }
    }
}
