import NetworkEngine

/// Tasks that outlive their calls, limited in number and canceled with their owner.
final class BackgroundTasks: Sendable {
    private struct State {
        var tasks: [Int: Task<Void, Never>?] = [:]
        var count = 0
    }

    private let limit: Int
    private let state = Locked(State())

    init(limit: Int = 16) { self.limit = limit }

    deinit {
        for case let task? in state.withLock({ $0.tasks.values.map(\.self) }) { task.cancel() }
    }

    /// Runs work in a task. Returns `false` if too many tasks are running.
    func start(_ work: @escaping @Sendable () async -> Void) -> Bool {
        let number = state.withLock { state -> Int? in
            guard state.tasks.count < limit else { return nil }
            state.count += 1
            state.tasks[state.count] = .some(nil)
            return state.count
        }
        guard let number else { return false }
        let task = Task { [weak self] in
            await work()
            self?.ended(number)
        }
        state.withLock { if $0.tasks[number] != nil { $0.tasks[number] = task } }
        return true
    }

    private func ended(_ number: Int) {
        _ = state.withLock { $0.tasks.removeValue(forKey: number) }
    }
}
