import CLibcurl
import NetworkEngine

/// Opens sockets, and transfers their bytes, on one thread.
final class CurlSocketLoop {
    /// A socket with the handle that holds its connection.
    private struct Entry {
        let socket: CurlSocket
        let handle: CurlSocketHandle
        let group: CurlSocketGroup
        /// -1 until the connection is open.
        var descriptor: Int32 = -1
        /// The descriptor events that the system reports.
        var watched = 0
    }

    /// The maximum sleep. Commands end it earlier.
    private static let longestSleep: Int32 = 60_000
    /// The sleep while a TLS connection must receive bytes before it can send.
    private static let sleepWhileStuck: Int32 = 10
    /// The sleep while connections in several groups open, because it ends with the events of only one group.
    private static let sleepWhileOpening: Int32 = 5
    /// The number of pieces that one socket sends before it is the others' turn.
    private static let piecesPerTurn = 16

    private static let mostEvents = 256

    private var groups: [CurlSocketGroup]
    private let watcher: OpaquePointer
    private let base: CurlSharedOptions
    private let mailbox: CurlSocket.Mailbox
    private var entries: [OpaquePointer: Entry] = [:]
    private var handles: [ObjectIdentifier: OpaquePointer] = [:]
    /// Connections that could not send although they were ready, because TLS waits for the other end.
    private var stuck: Set<OpaquePointer> = []
    private var events = [LCReady](repeating: LCReady(), count: mostEvents)
    private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

    /// - Returns: `nil` if the system provides no event loop.
    init?(_ base: CurlSharedOptions, mailbox: CurlSocket.Mailbox) {
        guard let group = CurlSocketGroup(), let watcher = lc_watcher_create() else { return nil }
        (groups, self.watcher) = ([group], watcher)
        self.base = base
        self.mailbox = mailbox
    }

    deinit {
        for easy in Array(entries.keys) { remove(easy) }
        lc_watcher_destroy(watcher)
        scratch.deallocate()
    }

    /// Runs until the transport is shut down.
    func run() {
        var commands: [CurlSocket.Command] = []
        while true {
            mailbox.take(into: &commands)
            for command in commands where !perform(command) { return shutDown(commands) }
            commands.removeAll(keepingCapacity: true)
            connect()
            sleep()
        }
    }

    private func shutDown(_ commands: [CurlSocket.Command]) {
        for command in commands + mailbox.close() {
            if case .connect(let socket) = command { socket.fail(.socketsShutDown) }
        }
        for entry in entries.values { entry.socket.fail(.socketsShutDown) }
    }

    /// - Returns: whether to continue.
    private func perform(_ command: CurlSocket.Command) -> Bool {
        switch command {
        case .shutDown: return false
        case .connect(let socket): open(socket)
        case .attend(let socket):
            if let easy = handles[ObjectIdentifier(socket)] { attend(easy) }
        }
        return true
    }

    // MARK: Connecting

    private func open(_ socket: CurlSocket) {
        if socket.isClosed { return }
        guard let handle = CurlSocketHandle() else {
            return socket.fail(NetworkError(.connect, reason: "memory is short"))
        }
        if let fault = handle.apply(base, for: socket) { return socket.fail(fault) }
        guard let group = groupWithRoom(), group.open(handle.easy) else {
            return socket.fail(NetworkError(.connect, reason: "libcurl does not take the connection"))
        }
        entries[handle.easy] = Entry(socket: socket, handle: handle, group: group)
        handles[ObjectIdentifier(socket)] = handle.easy
    }

    private func groupWithRoom() -> CurlSocketGroup? {
        if let group = groups.first(where: { $0.count < CurlSocketGroup.capacity }) { return group }
        guard let group = CurlSocketGroup() else { return groups.last }
        groups.append(group)
        return group
    }

    private func connect() {
        for group in groups where group.opening > 0 {
            group.perform()
            var code: Int32 = 0
            while let easy = group.ended(&code) { connected(easy, code) }
        }
    }

    private func connected(_ easy: OpaquePointer, _ code: Int32) {
        guard let entry = entries[easy], entry.descriptor < 0 else { return }
        let descriptor = lc_easy_socket(easy)
        if let error = entry.handle.failure(code, descriptor, base, for: entry.socket) {
            remove(easy)
            return entry.socket.fail(error)
        }
        entry.handle.forgetWords()
        entries[easy]?.descriptor = descriptor
        entry.group.opened()
        entry.socket.connected(entry.group, easy)
        attend(easy)
    }

    private func remove(_ easy: OpaquePointer) {
        // The handle is destroyed with its entry, after libcurl has released it.
        guard let entry = entries[easy] else { return }
        if entry.watched != 0 { _ = lc_watcher_set(watcher, entry.descriptor, Int32(entry.watched), 0, easy) }
        stuck.remove(easy)
        entry.socket.detach()
        entry.group.remove(easy, isOpen: entry.descriptor >= 0)
        if entry.group.count == 0, groups.count > 1 { groups.removeAll { $0 === entry.group } }
        handles[ObjectIdentifier(entry.socket)] = nil
        entries[easy] = nil
    }

    // MARK: Bytes

    /// Waits for commands and events. The cost per event does not depend on the number of open connections.
    private func sleep() {
        let opening = groups.filter { $0.opening > 0 }
        let longest =
            opening.count > 1
            ? Self.sleepWhileOpening : stuck.isEmpty ? Self.longestSleep : Self.sleepWhileStuck
        let pause = mailbox.fallAsleep(watcher) ? longest : 0
        let count = lc_watcher_wait(watcher, opening.first?.multi, &events, UInt32(events.count), pause)
        mailbox.stayAwake()
        if count < 0 { lc_thread_pause(10) }
        for easy in stuck { attend(easy, LC_WATCH_OUT) }
        for event in events.prefix(max(0, Int(count))) {
            guard let easy = event.key, let entry = entries[easy] else { continue }
            // The reader of this event will soon request the next one: continuing to watch saves two system calls.
            if !entry.socket.wantsToReceive { unwatch(easy) }
            attend(easy, Int(event.ready))
        }
    }

    /// Sends and receives as much as possible without waiting, and removes a closed socket.
    private func attend(_ easy: OpaquePointer, _ ready: Int = LC_WATCH_IN | LC_WATCH_OUT) {
        guard let entry = entries[easy] else { return }
        if entry.socket.isClosed { return remove(easy) }
        guard entry.descriptor >= 0 else { return }
        // Data that the other end sent before it stopped receiving is read first.
        if ready & LC_WATCH_IN != 0 { receive(entry) }
        if ready & LC_WATCH_OUT != 0 {
            if send(entry) { stuck.insert(easy) } else { stuck.remove(easy) }
        }
        if entry.socket.isClosed { return remove(easy) }
        watch(easy)
    }

    /// Watches for the events that the socket waits for, and keeps watching for received bytes if it did before.
    private func watch(_ easy: OpaquePointer) {
        guard let entry = entries[easy] else { return }
        let wanted = entry.socket.wanted & (stuck.contains(easy) ? ~LC_WATCH_OUT : ~0) | entry.watched & LC_WATCH_IN
        if !set(easy, wanted) {
            entry.socket.fail(NetworkError(.lostMidBody, reason: "the system watches no more connections"))
            remove(easy)
        }
    }

    /// Stops watching, because an unhandled event would be reported repeatedly.
    private func unwatch(_ easy: OpaquePointer) { _ = set(easy, 0) }

    private func set(_ easy: OpaquePointer, _ wanted: Int) -> Bool {
        guard let entry = entries[easy], entry.watched != wanted else { return true }
        entries[easy]?.watched = wanted
        return lc_watcher_set(watcher, entry.descriptor, Int32(entry.watched), Int32(wanted), easy) == 0
    }

    /// - Returns: whether nothing could be sent.
    private func send(_ entry: Entry) -> Bool {
        for turn in 0..<Self.piecesPerTurn {
            guard let sending = entry.socket.sending else { return false }
            var count = 0
            let code = entry.group.send(sending.bytes, from: sending.sent, on: entry.handle.easy, &count)
            if code == LC_CODE_AGAIN { return turn == 0 }
            if code != 0 {
                entry.socket.failSending(entry.handle.failure(code))
                return false
            }
            entry.socket.sent(count)
        }
        return false
    }

    private func receive(_ entry: Entry) {
        guard entry.socket.wantsToReceive else { return }
        var count = 0
        let code = entry.group.receive(into: scratch, on: entry.handle.easy, &count)
        if code == LC_CODE_AGAIN { return }
        if code != 0 { return entry.socket.fail(entry.handle.failure(code)) }
        entry.socket.received(count == 0 ? nil : Array(scratch[..<count]))
    }
}
