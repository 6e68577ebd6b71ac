import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Passes copies of a session's callbacks to an observer, on a separate queue.
///
/// The observer runs after the fact and its answers are ignored, so it cannot delay or affect an exchange. If it is
/// slow, callbacks wait in a bounded backlog, and those that do not fit are dropped.
final class SessionObserver: Sendable {
    private let delegate: any URLSessionTaskDelegate
    private let queue = DispatchQueue(label: "NetworkEngine.URLSession.observer")
    private let backlog = Locked(ObserverBacklog<ObjectIdentifier>())

    init(_ delegate: any URLSessionTaskDelegate) { self.delegate = delegate }

    func note(_ callback: SessionCallback, of task: URLSessionTask, in session: URLSession) {
        let (event, size) = (callback.event, callback.size)
        guard backlog.withLock({ $0.admits(event, of: ObjectIdentifier(task), size: size) }) else { return }
        queue.async { [self] in
            callback.deliver(to: delegate, of: session)
            backlog.withLock { $0.delivered(size: size) }
        }
    }
}

/// A session's callback about one task.
enum SessionCallback: Sendable {
    struct SentCount: Hashable, Sendable {
        var bytes: Int64
        var total: Int64
        var expected: Int64
    }

    case created(URLSessionTask)
    case responded(URLSessionDataTask, URLResponse)
    case received(URLSessionDataTask, Data)
    case sent(URLSessionTask, SentCount)
    case measured(URLSessionTask, URLSessionTaskMetrics)
    case completed(URLSessionTask, (any Error)?)

    var event: ObserverBacklog<ObjectIdentifier>.Event {
        switch self {
        case .created: .begins
        case .responded, .received, .sent: .continues
        case .measured: .measures
        case .completed: .ends
        }
    }

    var size: Int {
        if case .received(_, let data) = self { data.count } else { 0 }
    }
}

/// Decides which callbacks an observer receives, so that a slow observer uses a bounded amount of memory.
///
/// A pure value. A task is observed from start to end, or not at all. When the backlog is full, callbacks in between
/// are dropped, and new tasks are not observed.
struct ObserverBacklog<Task: Hashable & Sendable>: Sendable {
    enum Event: Sendable {
        case begins, continues, measures, ends
    }

    private let callLimit: Int
    private let sizeLimit: Int
    private var calls = 0
    private var size = 0
    private var tasks: Set<Task> = []

    init(callLimit: Int = 4_096, sizeLimit: Int = 16 << 20) {
        self.callLimit = callLimit
        self.sizeLimit = sizeLimit
    }

    /// Whether the observer receives the callback. If so, it counts until it is delivered.
    mutating func admits(_ event: Event, of task: Task, size bytes: Int = 0) -> Bool {
        switch event {
        case .begins:
            guard calls < callLimit else { return false }
            tasks.insert(task)
        case .continues:
            // One callback that exceeds the limit fits into an empty backlog.
            let fits = size == 0 || size + bytes <= sizeLimit
            guard calls < callLimit, fits, tasks.contains(task) else { return false }
        // These two occur once for each admitted task, so they need no limit.
        case .measures:
            guard tasks.contains(task) else { return false }
        case .ends:
            guard tasks.remove(task) != nil else { return false }
        }
        calls += 1
        size += bytes
        return true
    }

    /// Called when the observer has returned from a callback.
    mutating func delivered(size bytes: Int = 0) {
        calls -= 1
        size -= bytes
    }
}

#if canImport(FoundationNetworking)
extension SessionCallback {
    /// Calls a delegate's method. A handler that the method calls does nothing.
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
    /// Calls a delegate's method, if it has one. A handler that the method calls does nothing.
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
