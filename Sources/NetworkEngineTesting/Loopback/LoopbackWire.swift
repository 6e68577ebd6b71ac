import Foundation

/// A connection's socket together with the bytes that it did not take yet.
struct LoopbackWire {
    let socket: LoopbackSocket
    private var unsent: ArraySlice<UInt8> = []

    enum Progress { case done, blocked, lost }

    init(_ socket: LoopbackSocket) { self.socket = socket }

    var isBlocked: Bool { !unsent.isEmpty }

    mutating func send(_ bytes: [UInt8]) -> Progress {
        unsent = bytes[...]
        return flush()
    }

    /// Writes what is left of it.
    mutating func flush() -> Progress {
        while !unsent.isEmpty {
            switch unsent.withUnsafeBytes(socket.send) {
            case .bytes(let count): unsent = unsent.dropFirst(count)
            case .wouldBlock: return .blocked
            case .ended, .failed: return .lost
            }
        }
        return .done
    }

    /// Closes so that the peer reads to the end of what was sent: closing over unread bytes would be a reset.
    func close() {
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { scratch in
            // Not for ever, should the peer never stop to send.
            for _ in 0..<64 { guard case .bytes = socket.receive(into: scratch) else { break } }
        }
        socket.close()
    }
}
