import Foundation
import NetworkEngine

/// What other threads tell the thread of a server, and the descriptor that wakes it for that.
final class LoopbackMailbox: Sendable {
    enum Message: Sendable {
        case stop
        case closeConnections(LoopbackFault)
        case accepting(Bool)
        case resume(connection: Int)
        case answer(connection: Int, LoopbackResponse)
    }

    private struct State {
        var messages: [Message] = []
        var isOpen = true
    }

    /// Readable when there are messages.
    let wakeDescriptor: Int32
    private let wakingDescriptor: Int32
    private let state = Locked(State())

    init() throws(LoopbackServerError) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw LoopbackServerError(step: "pipe") }
        wakeDescriptor = ends[0]
        wakingDescriptor = ends[1]
        for end in ends { LoopbackSocket(descriptor: end).makeNonBlocking() }
    }

    deinit { close() }

    func post(_ message: Message) {
        // The write never blocks; under the lock, so that it cannot meet a descriptor that was closed and given away.
        state.withLock { state in
            guard state.isOpen else { return }
            state.messages.append(message)
            if state.messages.count == 1 { _ = write(wakingDescriptor, "w", 1) }
        }
    }

    func takeAll() -> [Message] {
        state.withLock { state in
            var scratch: UInt64 = 0
            _ = read(wakeDescriptor, &scratch, 8)
            defer { state.messages = [] }
            return state.messages
        }
    }

    /// Gives the descriptors back; messages posted from now on are dropped.
    func close() {
        state.withLock { state in
            guard state.isOpen else { return }
            state.isOpen = false
            _ = Foundation.close(wakeDescriptor)
            _ = Foundation.close(wakingDescriptor)
        }
    }
}
