import Foundation
import NetworkEngine

/// Reads a request body from a stream while it is sent.
///
/// A task reads ahead, up to a limit. The loop takes the available bytes, and is notified when there are more.
final class StreamingUpload: Sendable {
    private struct State {
        var supply = UploadBuffer()
        var onBytes: (@Sendable () -> Void)?
        var reader: Task<Void, Never>?
        /// The NUL-terminated lines of the trailer fields.
        var trailers: [UInt8] = []
        /// The reader, while it waits for buffer space.
        var room: CheckedContinuation<Void, Never>?
    }

    let length: Int64?
    var isConversation: Bool { stream.isSentWhileReceiving }
    /// The names of the trailer fields.
    var trailerNames: [String] { stream.trailerNames }
    private let stream: BodyStream
    private let state = Locked(State())

    init(_ stream: BodyStream) {
        self.stream = stream
        length = stream.length
    }

    /// The largest number of bytes read for one sending.
    var sent: Int64 { state.withLock { $0.supply.sent } }
    /// The stream's error.
    var failure: (any Error)? { state.withLock { $0.supply.failure } }

    /// The NUL-terminated lines of the trailer fields, once the whole body was read.
    var trailers: [UInt8] { state.withLock { $0.trailers } }

    /// Starts reading.
    ///
    /// - Parameter onBytes: called when bytes are available again after `read(into:)` found none.
    func start(onBytes: @escaping @Sendable () -> Void) {
        let isWanted = state.withLock { state in
            // If it was stopped before, the upload never starts.
            guard state.supply.reading == 0 else { return false }
            state.onBytes = onBytes
            return true
        }
        if isWanted { startReading(0) }
    }

    /// Stops reading, and releases the callback.
    func stop() { listen(to: nil) }

    /// Copies bytes to send: none at the end of the stream, `nil` if none are available yet.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        let (count, room) = try state.withLock { state throws in
            (try state.supply.take(into: buffer), state.supply.isLow ? state.room.take() : nil)
        }
        room?.resume()
        return count
    }

    /// Restarts the stream, for bytes that must be sent again.
    ///
    /// - Returns: whether this is possible.
    func rewind() -> Bool {
        let (hasBegun, reading) = state.withLock { ($0.supply.hasBegun, $0.supply.reading) }
        guard hasBegun else { return true }
        guard stream.isReplayable, let reading else { return false }
        guard listen(to: reading + 1, after: reading) else { return false }
        startReading(reading + 1)
        return true
    }

    /// - Parameter current: the reading to end; `nil` for any.
    /// - Returns: whether that reading was still in use.
    @discardableResult
    private func listen(to reading: Int?, after current: Int? = nil) -> Bool {
        let (isCurrent, reader, room) = state.withLock { state in
            if let current, state.supply.reading != current {
                return (false, Task<Void, Never>?.none, CheckedContinuation<Void, Never>?.none)
            }
            state.supply.listen(to: reading)
            if reading == nil { state.onBytes = nil }
            return (true, state.reader.take(), state.room.take())
        }
        reader?.cancel()
        room?.resume()
        return isCurrent
    }

    private func startReading(_ reading: Int) {
        let reader = Task { await run(reading) }
        let isWanted = state.withLock { state in
            if state.supply.reading == reading { state.reader = reader }
            return state.supply.reading == reading
        }
        if !isWanted { reader.cancel() }
    }

    // MARK: The reader

    private func run(_ reading: Int) async {
        do {
            var count: Int64 = 0
            // The piece that completes the declared length waits for the end: a longer stream must not look complete.
            var last: Data?
            for try await piece in stream where !piece.isEmpty {
                count += Int64(piece.count)
                if let length, count > length { throw mismatch(count, length) }
                if count == length { last = piece } else if await !give(piece, reading) { return }
            }
            if let length, count < length { throw mismatch(count, length) }
            if let last, await !give(last, reading) { return }
            if let fields = try await stream.trailers?.read() {
                let lines = fields.flatMap { Array("\($0.name): \($0.value)\0".utf8) }
                state.withLock { state in
                    if state.supply.reading == reading { state.trailers = lines }
                }
            }
            finish(.success(()), reading)
        } catch {
            finish(.failure(error), reading)
        }
    }

    private func mismatch(_ count: Int64, _ length: Int64) -> NetworkError {
        .wrongLength(of: "the body", count, announced: length)
    }

    /// Passes on a piece as soon as there is space.
    ///
    /// - Returns: whether more pieces are needed.
    private func give(_ piece: Data, _ reading: Int) async -> Bool {
        while true {
            let (offer, onBytes) = state.withLock { ($0.supply.add(piece, of: reading), $0.onBytes) }
            switch offer {
            case .taken(let isAwaited):
                if isAwaited { onBytes?() }
                return true
            case .unwanted: return false
            case .full: await waitForRoom(for: piece.count, reading)
            }
        }
    }

    private func waitForRoom(for count: Int, _ reading: Int) async {
        await withCheckedContinuation { waiter in
            let mustWait = state.withLock { state in
                guard state.supply.reading == reading, !state.supply.hasRoom(for: count) else {
                    return false
                }
                state.room = waiter
                return true
            }
            if !mustWait { waiter.resume() }
        }
    }

    private func finish(_ end: Result<Void, any Error>, _ reading: Int) {
        let (isAwaited, onBytes) = state.withLock { ($0.supply.finish(end, of: reading), $0.onBytes) }
        if isAwaited { onBytes?() }
    }
}
