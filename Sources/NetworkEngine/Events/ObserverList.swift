/// The observers of an engine.
package struct ObserverList: Sendable {
    private let queues: [ObserverQueue]

    init(_ observers: [any NetworkObserver]) {
        queues = observers.map { observer in
            (observer as? any QueuedObserver)?.queue ?? ObserverQueue { observer.handle($0) }
        }
    }

    var isEmpty: Bool { queues.isEmpty }

    /// The observation of a call that starts now; `nil` if no observer accepts it.
    func observation(of id: RequestID) -> CallObservation? {
        let queues = queues.filter { $0.acceptsCall() }
        return queues.isEmpty ? nil : CallObservation(id, queues)
    }
}
