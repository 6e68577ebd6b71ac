import Foundation
import NetworkEngine

/// Messages from other threads to a server's thread, with a descriptor that wakes it.
final class LoopbackMailbox: Sendable {
    enum Message: Sendable {
        case stop
        case closeConnections(LoopbackFault)
        case accepting(Bool)
        case resume(connection: Int)
        case answer(connection: Int, LoopbackResponse)
        /// A connection that has left HTTP has bytes to send, free buffer space, or an end.
        case channelChanged(connection: Int)
    }

    private struct State {
        var messages: [Message] = []
        var isOpen = true
    }

    /// Readable when messages are pending.
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
        // The write never blocks. It happens under the lock, so that the descriptor cannot be closed and reused
        // concurrently.
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

    /// Closes the descriptors. Later messages are dropped.
    func close() {
        state.withLock { state in
            guard state.isOpen else { return }
            state.isOpen = false
            _ = Foundation.close(wakeDescriptor)
            _ = Foundation.close(wakingDescriptor)
        }
    }
}

/// The objects that all connections of a server share.
struct LoopbackServices: Sendable {
    let configuration: LoopbackConfiguration
    let responses: ResponseSource
    let log: LoopbackLog
    let mailbox: LoopbackMailbox
    /// Settled when the server has stopped.
    let stopped = OneShot<Void>()
}
