import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One long-lived session with its delegate: makes tasks, and ends without a task in flight.
///
/// A session that is invalidated with work in flight crashes on Linux, and so does making a task on an invalid one
/// (`linux.md` 0, rule 8): the registry counts both.
final class SessionHandle: Sendable {
    private let registry: TaskRegistry
    private let session: URLSession

    init(configuration: URLSessionConfiguration, security: SessionSecurity) {
        let registry = TaskRegistry()
        self.registry = registry
        session = URLSession(
            configuration: configuration,
            delegate: SessionDelegate(registry: registry, security: security),
            delegateQueue: nil
        )
    }

    deinit { shutDown() }

    /// Makes a task, not yet resumed.
    ///
    /// - Returns: `nil` when the session takes no more.
    func makeTask(_ request: URLRequest, for listener: any TaskEvents) -> URLSessionDataTask? {
        guard registry.open() else { return nil }
        let task = session.dataTask(with: request)
        if registry.insert(listener, for: task.taskIdentifier) { listener.shutDown() }
        return task
    }

    /// Takes no more tasks, stops those in flight, and invalidates the session when the last has ended.
    func shutDown() {
        let (listeners, isDrained) = registry.close()
        for listener in listeners { listener.shutDown() }
        if isDrained { session.finishTasksAndInvalidate() }
    }
}
