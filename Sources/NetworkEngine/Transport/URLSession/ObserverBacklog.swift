/// Decides which callbacks an observer gets, so that a slow observer takes a bounded amount of memory.
///
/// A pure value. A task is observed from its beginning to its end, or not at all. When the backlog is full, callbacks
/// in between are dropped, and tasks that begin are not observed.
package struct ObserverBacklog<Task: Hashable & Sendable>: Sendable {
    package enum Event: Sendable {
        case begins, continues, measures, ends
    }

    private let callLimit: Int
    private let sizeLimit: Int
    private var calls = 0
    private var size = 0
    private var tasks: Set<Task> = []

    package init(callLimit: Int = 4_096, sizeLimit: Int = 16 << 20) {
        self.callLimit = callLimit
        self.sizeLimit = sizeLimit
    }

    /// Whether the observer gets the callback. If so, it counts until it is delivered.
    package mutating func admits(_ event: Event, of task: Task, size bytes: Int = 0) -> Bool {
        switch event {
        case .begins:
            guard calls < callLimit else { return false }
            tasks.insert(task)
        case .continues:
            // One callback that is larger than the limit fits into an empty backlog.
            let fits = size == 0 || size + bytes <= sizeLimit
            guard calls < callLimit, fits, tasks.contains(task) else { return false }
        // These two come once for each task that was admitted, so they need no limit.
        case .measures:
            guard tasks.contains(task) else { return false }
        case .ends:
            guard tasks.remove(task) != nil else { return false }
        }
        calls += 1
        size += bytes
        return true
    }

    /// The observer has returned from a callback.
    package mutating func delivered(size bytes: Int = 0) {
        calls -= 1
        size -= bytes
    }
}
