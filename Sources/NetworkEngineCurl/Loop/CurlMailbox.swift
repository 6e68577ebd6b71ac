import CLibcurl
import NetworkEngine

/// What other threads tell the thread of a transport.
final class CurlMailbox<Command: Sendable>: Sendable {
    private struct State {
        var commands: [Command] = []
        var isClosed = false
        /// Who sleeps until there is a command.
        var sleeper: OpaquePointer?
    }

    private let state = Locked(State())

    /// Leaves a command, and wakes the thread if it sleeps.
    ///
    /// - Returns: whether anybody will read it.
    func post(_ command: Command) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.commands.append(command)
            // It never waits; under the lock, so that it cannot meet a handle that is gone. Once is enough.
            if let sleeper = state.sleeper.take() { lc_loop_wake(sleeper) }
            return true
        }
    }

    /// Takes all commands, into an array whose memory is used again.
    func take(into commands: inout [Command]) {
        state.withLock { state in
            state.sleeper = nil
            swap(&state.commands, &commands)
        }
    }

    /// Whether there is no command, so that the thread may sleep; the next one wakes it.
    func fallAsleep(_ loop: OpaquePointer) -> Bool {
        state.withLock { state in
            guard state.commands.isEmpty else { return false }
            state.sleeper = loop
            return true
        }
    }

    /// Says that nobody sleeps any more.
    func stayAwake() { state.withLock { $0.sleeper = nil } }

    /// Leaves commands before all others.
    func putBack(_ commands: [Command]) { state.withLock { $0.commands.insert(contentsOf: commands, at: 0) } }

    /// Takes no more commands, and returns those that nobody has read.
    func close() -> [Command] {
        state.withLock { state in
            state.isClosed = true
            state.sleeper = nil
            defer { state.commands = [] }
            return state.commands
        }
    }
}
