import Foundation

@testable import NetworkEngine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One data task on a plain platform session, and its delegate's events.
final class RawSession: NSObject, URLSessionDataDelegate {
    struct Outcome: Sendable {
        var response: URLResponse?
        var error: (any Error)?
        var isChallenged = false
        var hasMetrics = false
    }

    private let outcome = Locked(Outcome())
    private let ended: @Sendable (Outcome) -> Void

    private init(ended: @escaping @Sendable (Outcome) -> Void) { self.ended = ended }

    static func outcome(
        of request: URLRequest,
        _ configuration: URLSessionConfiguration = .ephemeral
    ) async -> Outcome {
        configuration.urlCache = nil
        return await withCheckedContinuation { waiter in
            let delegate = RawSession { waiter.resume(returning: $0) }
            let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
            session.dataTask(with: request).resume()
            session.finishTasksAndInvalidate()
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        outcome.withLock { $0.isChallenged = true }
        completionHandler(.performDefaultHandling, nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        outcome.withLock { $0.hasMetrics = true }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let outcome = outcome.withLock { outcome in
            outcome.response = task.response
            outcome.error = error
            return outcome
        }
        ended(outcome)
    }
}
