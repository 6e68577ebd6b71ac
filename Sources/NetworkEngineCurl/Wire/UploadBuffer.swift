import Foundation
import NetworkEngine

/// The bytes of a request body that are read but not yet sent. A pure value that decides which side to notify.
struct UploadBuffer {
    /// The result of adding a piece.
    enum Offer: Hashable {
        /// The piece was added. The sender may have been waiting for it.
        case taken(isAwaited: Bool)
        /// Too much is waiting to be sent.
        case full
        /// The piece is from a reading that was replaced or stopped.
        case unwanted
    }

    /// The number of bytes at which the reader pauses.
    static let limit = 256 << 10

    private var backlog = Backlog(memoryLimit: limit, fileLimit: 0)
    /// The rest of the piece being sent.
    private var current = Data()
    private var end: Result<Void, any Error>?
    /// Whether the sender found no bytes and waits.
    private var isAwaited = false
    /// The number of the current reading of the stream; `nil` after the last one.
    private(set) var reading: Int? = 0
    private var taken: Int64 = 0
    /// The largest number of bytes taken in one reading.
    private(set) var sent: Int64 = 0
    /// The error at the end of the stream, once the sender has reached it.
    private(set) var failure: (any Error)?

    init() {}

    /// Whether bytes were taken in this reading.
    var hasBegun: Bool { taken > 0 }

    /// Whether a piece of this size would be added.
    func hasRoom(for count: Int) -> Bool {
        backlog.bytesInMemory == 0 || backlog.bytesInMemory + count <= Self.limit
    }

    /// Whether the reader should check for space.
    var isLow: Bool { backlog.bytesInMemory <= Self.limit / 2 }

    /// Adds a piece. The first piece is added regardless of its size.
    mutating func add(_ piece: Data, of reading: Int) -> Offer {
        guard reading == self.reading else { return .unwanted }
        guard backlog.add(piece) == .memory else { return .full }
        return .taken(isAwaited: takeAwaiting())
    }

    /// Ends the stream.
    ///
    /// - Returns: whether the sender is waiting for this.
    mutating func finish(_ end: Result<Void, any Error>, of reading: Int) -> Bool {
        guard reading == self.reading else { return false }
        self.end = end
        return takeAwaiting()
    }

    /// Copies available bytes: none at the end, `nil` if none are available yet.
    mutating func take(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        var count = 0
        while count < buffer.count {
            if current.isEmpty {
                guard case .bytes(let next) = backlog.take(atMost: .max) else { break }
                current = next
            }
            let part = current.prefix(buffer.count - count)
            part.copyBytes(to: UnsafeMutableRawBufferPointer(rebasing: buffer[count..<count + part.count]))
            current = current.dropFirst(part.count)
            count += part.count
        }
        taken += Int64(count)
        sent = max(sent, taken)
        if count > 0 { return count }
        guard let end else {
            isAwaited = true
            return nil
        }
        if case .failure(let error) = end { failure = error }
        try end.get()
        return 0
    }

    /// Drops the unsent bytes, and continues with another reading, or none.
    mutating func listen(to reading: Int?) {
        self.reading = reading
        backlog = Backlog(memoryLimit: Self.limit, fileLimit: 0)
        current = Data()
        end = nil
        taken = 0
    }

    private mutating func takeAwaiting() -> Bool {
        defer { isAwaited = false }
        return isAwaited
    }
}
