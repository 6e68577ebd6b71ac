import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Passes copies of a session's callbacks to an observer, on a separate queue.
///
/// The observer runs after the fact and its answers are ignored, so it cannot delay an exchange or change its course.
/// If it is slow, callbacks wait in a bounded backlog, and those that do not fit are dropped.
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

/// A callback of a session about one task.
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
