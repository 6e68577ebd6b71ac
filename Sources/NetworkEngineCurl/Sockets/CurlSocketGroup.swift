import CLibcurl
import NetworkEngine

/// A multi handle with some of the sockets.
///
/// For each send and receive libcurl searches all of the multi handle's connections, so each has only a few.
///
/// The socket thread uses it. Another thread may send on an open connection while none of the group's connections is
/// opening. Only one thread uses the multi handle at a time.
final class CurlSocketGroup {
    static let capacity = 256

    let multi: OpaquePointer
    private(set) var count = 0
    /// The number of connections that are not open yet. Only they need libcurl to do work.
    var opening: Int { access.withLock { $0 } }
    private let access = Locked(0)

    /// - Returns: `nil` if there is not enough memory or no free descriptor.
    init?() {
        guard let multi = lc_multi_create() else { return nil }
        self.multi = multi
        _ = lc_multi_set_number(multi, Int32(LC_MULTI_QUICK_EXIT), 1)
    }

    deinit { lc_multi_destroy(multi) }

    /// - Returns: whether libcurl accepts the handle.
    func open(_ easy: OpaquePointer) -> Bool {
        let isAdded = access.withLock { opening in
            guard lc_multi_add(multi, easy) == 0 else { return false }
            opening += 1
            return true
        }
        if isAdded { count += 1 }
        return isAdded
    }

    func opened() { access.withLock { $0 -= 1 } }

    func remove(_ easy: OpaquePointer, isOpen: Bool) {
        access.withLock { opening in
            _ = lc_multi_remove(multi, easy)
            if !isOpen { opening -= 1 }
        }
        count -= 1
    }

    /// Lets libcurl continue opening connections.
    func perform() {
        access.withLock { _ in
            var running: Int32 = 0
            _ = lc_multi_perform(multi, &running)
        }
    }

    /// The next connection that has finished opening.
    func ended(_ code: inout Int32) -> OpaquePointer? { access.withLock { _ in lc_multi_ended(multi, &code) } }

    // MARK: Bytes

    /// The number of bytes to offer to libcurl in one call. If none could be sent, the same bytes are offered again, as
    /// TLS requires.
    static let sizeOfPiece = 1 << 16

    /// Sends bytes on an open connection, from an index on. Returns libcurl's code.
    func send(_ bytes: [UInt8], from start: Int, on easy: OpaquePointer, _ count: inout Int) -> Int32 {
        access.withLock { _ in Self.send(bytes, from: start, on: easy, &count) }
    }

    /// Sends bytes on an open connection from another thread, unless this would have to wait.
    ///
    /// - Returns: the number of bytes sent.
    func sendAtOnce(_ bytes: [UInt8], on easy: OpaquePointer) -> Int {
        let sent = access.withLockIfFree { opening in
            var count = 0
            // While a connection opens, the socket thread waits for the multi handle's events.
            guard opening == 0 else { return 0 }
            // On the socket thread all signals are blocked.
            let guardian = lc_pipe_guard_begin()
            defer { lc_pipe_guard_end(guardian) }
            return Self.send(bytes, from: 0, on: easy, &count) == 0 ? count : 0
        }
        return sent ?? 0
    }

    func receive(into buffer: UnsafeMutableRawBufferPointer, on easy: OpaquePointer, _ count: inout Int) -> Int32 {
        access.withLock { _ in lc_easy_receive(easy, buffer.baseAddress, buffer.count, &count) }
    }

    private static func send(_ bytes: [UInt8], from start: Int, on easy: OpaquePointer, _ count: inout Int) -> Int32 {
        bytes.withUnsafeBytes { bytes in
            let piece = UnsafeRawBufferPointer(rebasing: bytes[start...].prefix(sizeOfPiece))
            return piece.isEmpty ? 0 : lc_easy_send(easy, piece.baseAddress, piece.count, &count)
        }
    }
}
