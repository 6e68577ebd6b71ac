package import Foundation
import NetworkEngine

/// What has come of a request's body and was not sent yet. Pure: says who is to be told of what.
package struct UploadBuffer {
    /// What becomes of a piece.
    package enum Offer: Hashable {
        /// Taken, and somebody may have been waiting for it.
        case taken(isAwaited: Bool)
        /// Too much is waiting to be sent.
        case full
        /// Of a reading that nobody wants any more.
        case unwanted
    }

    /// From here on the reader is ahead far enough.
    package static let limit = 256 << 10

    private var backlog = Backlog(memoryLimit: limit, fileLimit: 0)
    /// What is left of the piece that is being sent.
    private var current = Data()
    private var end: Result<Void, any Error>?
    /// Whether nothing was there when it was asked for.
    private var isAwaited = false
    /// Which reading of the stream counts; `nil` when none does any more.
    package private(set) var reading: Int? = 0
    private var taken: Int64 = 0
    /// Bytes that were taken, in the furthest reading.
    package private(set) var sent: Int64 = 0
    /// What the stream ended with, if that was an error and came to light.
    package private(set) var failure: (any Error)?

    package init() {}

    /// Whether bytes were taken in this reading.
    package var hasBegun: Bool { taken > 0 }

    /// Whether a piece of some size would be taken.
    package func hasRoom(for count: Int) -> Bool {
        backlog.bytesInMemory == 0 || backlog.bytesInMemory + count <= Self.limit
    }

    /// Whether it is time for the reader to look whether there is room.
    package var isLow: Bool { backlog.bytesInMemory <= Self.limit / 2 }

    /// Takes a piece in; one at least, however large.
    package mutating func add(_ piece: Data, of reading: Int) -> Offer {
        guard reading == self.reading else { return .unwanted }
        guard backlog.add(piece) == .memory else { return .full }
        return .taken(isAwaited: takeAwaiting())
    }

    /// Says that nothing follows.
    ///
    /// - Returns: whether somebody waits to hear of it.
    package mutating func finish(_ end: Result<Void, any Error>, of reading: Int) -> Bool {
        guard reading == self.reading else { return false }
        self.end = end
        return takeAwaiting()
    }

    /// Copies what is there: no bytes at the end, and `nil` when there are none yet.
    package mutating func take(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
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

    /// Forgets what was not sent, and listens to another reading, or none.
    package mutating func listen(to reading: Int?) {
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
