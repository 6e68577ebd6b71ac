import Foundation
import NetworkEngine

/// The event loop on a server's thread: polls sockets, messages and timers.
final class LoopbackLoop {
    private let listener: LoopbackSocket
    private let services: LoopbackServices
    private var connections: [Int: LoopbackConnection] = [:]
    private var polled: [pollfd] = []
    private var numbers: [Int] = []
    private var accepted = 0
    private var isAccepting = true
    private var acceptAgain: ContinuousClock.Instant?
    private var isRunning = true
    private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

    init(_ listener: LoopbackSocket, _ services: LoopbackServices) {
        self.listener = listener
        self.services = services
    }

    deinit { scratch.deallocate() }

    func run() {
        while isRunning { runOnce() }
        for connection in connections.values { connection.interrupt(.close) }
        listener.close()
        services.mailbox.close()
        services.stopped.settle(())
        services.log.change { $0.isStopped = true }
    }

    private func runOnce() {
        polled.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
        polled.append(pollfd(fd: services.mailbox.wakeDescriptor, events: Int16(POLLIN), revents: 0))
        let listens = isAccepting && acceptAgain == nil
        polled.append(pollfd(fd: listens ? listener.descriptor : -1, events: Int16(POLLIN), revents: 0))
        var wake = acceptAgain
        for (number, connection) in connections {
            polled.append(pollfd(fd: connection.descriptor, events: Self.events(for: connection), revents: 0))
            numbers.append(number)
            if let time = connection.wakeTime { wake = wake.map { min($0, time) } ?? time }
        }
        let ready = poll(&polled, nfds_t(polled.count), Self.milliseconds(until: wake))
        if wake != nil { fireTimers() }
        guard ready > 0 else { return }
        for index in numbers.indices where polled[index + 2].revents != 0 {
            handle(polled[index + 2].revents, numbers[index])
        }
        if polled[0].revents != 0 { readMessages() }
        if polled[1].revents != 0 { acceptAll() }
    }

    private static func events(for connection: LoopbackConnection) -> Int16 {
        (connection.wantsToRead || connection.peeksForHangup ? Int16(POLLIN) : 0)
            | (connection.wantsToWrite ? Int16(POLLOUT) : 0)
            | (connection.watchesForHangup ? LoopbackPlatform.clientEnded : 0)
    }

    private static func milliseconds(until wake: ContinuousClock.Instant?) -> Int32 {
        guard let wake else { return -1 }
        let left = ContinuousClock.now.duration(to: wake)
        guard left > .zero else { return 0 }
        guard left < .seconds(3600) else { return 3_600_000 }
        let (seconds, attoseconds) = left.components
        // Rounded up, so that the loop never wakes too early and never spins.
        return Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }

    private func fireTimers() {
        let now = ContinuousClock.now
        if let time = acceptAgain, time <= now { acceptAgain = nil }
        for connection in connections.values {
            guard let time = connection.wakeTime, time <= now else { continue }
            connection.timerFired()
            removeIfClosed(connection)
        }
    }

    private func handle(_ events: Int16, _ number: Int) {
        guard let connection = connections[number] else { return }
        if events & Int16(POLLOUT) != 0 { connection.writable() }
        if events & Int16(POLLIN) != 0 {
            if connection.wantsToRead {
                connection.readable(scratch)
            } else if connection.peeksForHangup {
                connection.peek()
            }
        } else if events & (Int16(POLLERR | POLLHUP | POLLNVAL) | LoopbackPlatform.clientEnded) != 0 {
            connection.close()
        }
        removeIfClosed(connection)
    }

    private func readMessages() {
        for message in services.mailbox.takeAll() {
            switch message {
            case .stop: isRunning = false
            case .accepting(let accepts): isAccepting = accepts
            case .closeConnections(let fault):
                for connection in connections.values { connection.interrupt(fault) }
                connections = [:]
            case .resume(let number):
                guard let connection = connections[number] else { continue }
                connection.resume()
                removeIfClosed(connection)
            case .answer(let number, let response):
                guard let connection = connections[number] else { continue }
                connection.answer(response)
                removeIfClosed(connection)
            case .channelChanged(let number):
                guard let connection = connections[number] else { continue }
                connection.channelChanged()
                removeIfClosed(connection)
            }
        }
    }

    private func acceptAll() {
        acceptAgain = nil
        while let socket = listener.accept() {
            let connection = LoopbackConnection(socket, number: accepted, services: services)
            accepted += 1
            connections[connection.number] = connection
            removeIfClosed(connection)
        }
        // Without free descriptors the listener remains readable and would make this thread spin.
        if errno == EMFILE || errno == ENFILE { acceptAgain = .now + .milliseconds(20) }
    }

    private func removeIfClosed(_ connection: LoopbackConnection) {
        if connection.isClosed { connections[connection.number] = nil }
    }
}
