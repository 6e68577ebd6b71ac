import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Forwards a session's events to the task's listener, and then a copy to the observer.
///
/// Only the methods with a completion handler are implemented: the `async` ones compile on Linux but are never called.
final class SessionDelegate: NSObject, URLSessionDataDelegate {
    private let registry: TaskRegistry
    private let security: SessionSecurity
    private let observer: SessionObserver?

    init(registry: TaskRegistry, security: SessionSecurity, observer: SessionObserver?) {
        self.registry = registry
        self.security = security
        self.observer = observer
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        registry.listener(for: dataTask.taskIdentifier)?.responded(response)
        completionHandler(.allow)
        observer?.note(.responded(dataTask, response), of: dataTask, in: session)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        registry.listener(for: dataTask.taskIdentifier)?.received(data)
        observer?.note(.received(dataTask, data), of: dataTask, in: session)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        registry.listener(for: task.taskIdentifier)?.sent(totalBytesSent)
        let count = SessionCallback.SentCount(
            bytes: bytesSent, total: totalBytesSent, expected: totalBytesExpectedToSend)
        observer?.note(.sent(task, count), of: task, in: session)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        registry.listener(for: task.taskIdentifier)?.redirected(answer: completionHandler)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let listener = registry.listener(for: task.taskIdentifier)
        let answer = security.answer(challenge, isForeign: listener?.isForeign ?? true)
        if answer.leavesResponse { listener?.challenged() }
        if let problem = answer.refusal { listener?.refused(problem) }
        completionHandler(answer.disposition, answer.credential)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping (InputStream?) -> Void
    ) {
        completionHandler(registry.listener(for: task.taskIdentifier)?.newBodyStream())
    }

    /// Called on Apple platforms only.
    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        registry.listener(for: task.taskIdentifier)?.measured(metrics)
        observer?.note(.measured(task, metrics), of: task, in: session)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        observer?.note(.completed(task, error), of: task, in: session)
        let (listener, isDrained) = registry.remove(task.taskIdentifier)
        listener?.completed(error, response: task.response)
        if isDrained { session.finishTasksAndInvalidate() }
    }
}
