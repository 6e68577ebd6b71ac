/// Tells how far an exchange has come, in both directions; whoever asked to be told chooses what is worth telling.
package struct ExchangeProgress: Sendable {
    private let attempt: Int
    private let report: @Sendable (TransferProgress) -> Void

    package init(attempt: Int, report: @escaping @Sendable (TransferProgress) -> Void) {
        self.attempt = attempt
        self.report = report
    }

    package func sent(_ count: Int64, of total: Int64?) {
        report(TransferProgress(direction: .sending, completed: count, total: total, attempt: attempt))
    }

    package func received(_ count: Int64, of total: Int64?, isLast: Bool = false) {
        let total = isLast ? count : total
        report(TransferProgress(direction: .receiving, completed: count, total: total, attempt: attempt))
    }
}
