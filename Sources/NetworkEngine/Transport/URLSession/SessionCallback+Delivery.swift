import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking

extension SessionCallback {
    /// Calls the method of a delegate. A handler that the method calls does nothing.
    ///
    /// The delegate protocol on Linux has no method for a created task, and no optional methods.
    func deliver(to delegate: any URLSessionTaskDelegate, of session: URLSession) {
        switch self {
        case .created: break
        case .responded(let task, let response):
            (delegate as? any URLSessionDataDelegate)?
                .urlSession(session, dataTask: task, didReceive: response, completionHandler: { _ in })
        case .received(let task, let data):
            (delegate as? any URLSessionDataDelegate)?.urlSession(session, dataTask: task, didReceive: data)
        case .sent(let task, let count):
            delegate.urlSession(
                session,
                task: task,
                didSendBodyData: count.bytes,
                totalBytesSent: count.total,
                totalBytesExpectedToSend: count.expected
            )
        case .measured(let task, let metrics):
            delegate.urlSession(session, task: task, didFinishCollecting: metrics)
        case .completed(let task, let error):
            delegate.urlSession(session, task: task, didCompleteWithError: error)
        }
    }
}
#else
extension SessionCallback {
    /// Calls the method of a delegate, if it has one. A handler that the method calls does nothing.
    func deliver(to delegate: any URLSessionTaskDelegate, of session: URLSession) {
        switch self {
        case .created(let task):
            delegate.urlSession?(session, didCreateTask: task)
        case .responded(let task, let response):
            (delegate as? any URLSessionDataDelegate)?
                .urlSession?(session, dataTask: task, didReceive: response, completionHandler: { _ in })
        case .received(let task, let data):
            (delegate as? any URLSessionDataDelegate)?.urlSession?(session, dataTask: task, didReceive: data)
        case .sent(let task, let count):
            delegate.urlSession?(
                session,
                task: task,
                didSendBodyData: count.bytes,
                totalBytesSent: count.total,
                totalBytesExpectedToSend: count.expected
            )
        case .measured(let task, let metrics):
            delegate.urlSession?(session, task: task, didFinishCollecting: metrics)
        case .completed(let task, let error):
            delegate.urlSession?(session, task: task, didCompleteWithError: error)
        }
    }
}
#endif
