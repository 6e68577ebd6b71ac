import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One long-lived session with its delegate. The first task creates it, and it is invalidated when no task is in
/// flight.
///
/// On Linux, invalidating a session with tasks in flight crashes, and so does creating a task on an invalidated
/// session. The registry counts both.
final class SessionHandle: Sendable {
    private let registry = TaskRegistry()
    private let session = Locked<URLSession?>(nil)
    private let configuration: URLSessionConfiguration
    private let security: SessionSecurity
    private let observer: SessionObserver?
    private let assumesHTTP3: Bool
    /// Creates and resumes tasks. On Linux both wait for one of the session's queues, which is long while thousands of
    /// tasks run, so a thread of Swift's pool must not do it.
    let starting = DispatchQueue(label: "NetworkEngine.URLSession.starting")

    init(
        _ configuration: URLSessionConfiguration,
        _ security: SessionSecurity,
        _ options: URLSessionOptions,
        _ observer: SessionObserver?
    ) {
        self.configuration = configuration
        self.security = security
        self.observer = observer
        assumesHTTP3 = options.assumesHTTP3Capable
    }

    deinit { shutDown() }

    /// Creates a task without resuming it.
    ///
    /// - Returns: `nil` if the session is shut down.
    func makeTask(_ request: URLRequest, for listener: any TaskEvents) -> URLSessionDataTask? {
        guard registry.open() else { return nil }
        var request = request
        if assumesHTTP3 { request.assumeHTTP3() }
        let session = openSession()
        let task = session.dataTask(with: request)
        observer?.note(.created(task), of: task, in: session)
        if registry.insert(listener, for: task.taskIdentifier) { listener.shutDown() }
        return task
    }

    /// Rejects new tasks, stops those in flight, and invalidates the session after the last one has ended.
    func shutDown() {
        let (listeners, isDrained) = registry.close()
        for listener in listeners { listener.shutDown() }
        if isDrained { session.withLock { $0.take() }?.finishTasksAndInvalidate() }
    }

    private func openSession() -> URLSession {
        session.withLock { session in
            if let session { return session }
            let delegate = SessionDelegate(registry: registry, security: security, observer: observer)
            let new = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
            session = new
            return new
        }
    }
}
