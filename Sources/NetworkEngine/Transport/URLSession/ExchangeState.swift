import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What an exchange holds under its lock: the machine, and what the machine's words are about.
struct ExchangeState {
    var transfer: Transfer
    var timing = ExchangeTiming()
    var body = Data()
    var task: URLSessionDataTask?
    var ticket: AdmissionQueue.Ticket?
    /// Woken when there is an ending. It is not handed the ending: ThreadSanitizer takes what a continuation carries
    /// for a race when it is resumed before its task has suspended.
    var waiter: CheckedContinuation<Void, Never>?
    var ending: ExchangeEnding?
    /// Set when the response is given away before its body has come.
    var streamedHead: ResponseHead?
    /// The session's error, or that of the file that the body should go to.
    var problem: (any Error)?

    init(limit: Int64, canStream: Bool, keepsPlace: Bool, followsRedirects: Bool) {
        transfer = Transfer(
            limit: limit, canStream: canStream, keepsPlace: keepsPlace, followsRedirects: followsRedirects)
    }

    /// What the outcome is made of; the bytes are not kept beside it.
    mutating func takeEnding(_ outcome: Transfer.Outcome) -> ExchangeEnding {
        defer { body = Data() }
        return ExchangeEnding(
            outcome: outcome,
            head: transfer.head,
            received: transfer.received,
            body: body,
            timing: timing,
            problem: problem
        )
    }
}
