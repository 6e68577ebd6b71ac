import CLibcurl
import NetworkEngine

/// Commands from other threads to a transport's thread.
final class CurlMailbox<Command: Sendable>: Sendable {
    private struct State {
        var commands: [Command] = []
        var isClosed = false
        /// The loop to wake when a command arrives; `nil` while it is not sleeping.
        var sleeper: OpaquePointer?
    }

    private let state = Locked(State())
    private let wake: @Sendable (OpaquePointer) -> Void

    /// - Parameter wake: ends a loop's sleep, without waiting.
    init(wake: @escaping @Sendable (OpaquePointer) -> Void = { lc_loop_wake($0) }) { self.wake = wake }

    /// Adds a command, and wakes the thread if it sleeps.
    ///
    /// - Returns: whether the command will be read.
    func post(_ command: Command) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.commands.append(command)
            // Never waits. Called under the lock so that the loop cannot be freed concurrently. One wake-up is enough.
            if let sleeper = state.sleeper.take() { wake(sleeper) }
            return true
        }
    }

    /// Moves all commands to an array, and reuses its memory.
    func take(into commands: inout [Command]) {
        state.withLock { state in
            state.sleeper = nil
            swap(&state.commands, &commands)
        }
    }

    /// Marks the loop as sleeping, unless a command waits. The next command wakes it.
    func fallAsleep(_ loop: OpaquePointer) -> Bool {
        state.withLock { state in
            guard state.commands.isEmpty else { return false }
            state.sleeper = loop
            return true
        }
    }

    /// Marks the loop as awake.
    func stayAwake() { state.withLock { $0.sleeper = nil } }

    /// Inserts commands before all others.
    func putBack(_ commands: [Command]) { state.withLock { $0.commands.insert(contentsOf: commands, at: 0) } }

    /// Rejects further commands, and returns the unread ones.
    func close() -> [Command] {
        state.withLock { state in
            state.isClosed = true
            state.sleeper = nil
            defer { state.commands = [] }
            return state.commands
        }
    }
}
