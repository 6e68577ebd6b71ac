import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Passes the events of a session to the listener of the task.
///
/// Only the methods with a completion handler are implemented: the `async` ones compile on Linux but are never called.
final class SessionDelegate: NSObject, URLSessionDataDelegate {
    private let registry: TaskRegistry
    private let security: SessionSecurity

    init(registry: TaskRegistry, security: SessionSecurity) {
        self.registry = registry
        self.security = security
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        registry.listener(for: dataTask.taskIdentifier)?.responded(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        registry.listener(for: dataTask.taskIdentifier)?.received(data)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        registry.listener(for: task.taskIdentifier)?.sent(totalBytesSent)
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

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let (listener, isDrained) = registry.remove(task.taskIdentifier)
        listener?.completed(error, response: task.response)
        if isDrained { session.finishTasksAndInvalidate() }
    }
}
