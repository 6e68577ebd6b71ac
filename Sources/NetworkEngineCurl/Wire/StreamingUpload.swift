import Foundation
import NetworkEngine

/// A request's body that is read from a stream while it is sent.
///
/// A task reads ahead, so far and no further; the loop takes what is there, and is told when there is more.
final class StreamingUpload: Sendable {
    private struct State {
        var supply = UploadBuffer()
        var onBytes: (@Sendable () -> Void)?
        var reader: Task<Void, Never>?
        /// The reader, when it is ahead far enough.
        var room: CheckedContinuation<Void, Never>?
    }

    let length: Int64?
    private let stream: BodyStream
    private let state = Locked(State())

    init(_ stream: BodyStream) {
        self.stream = stream
        length = stream.length
    }

    /// Bytes that were taken to be sent, in the furthest reading.
    var sent: Int64 { state.withLock { $0.supply.sent } }
    /// Why the stream could not be read.
    var failure: (any Error)? { state.withLock { $0.supply.failure } }

    /// Begins to read.
    ///
    /// - Parameter onBytes: called when there is something again after `read(into:)` found nothing.
    func start(onBytes: @escaping @Sendable () -> Void) {
        state.withLock { $0.onBytes = onBytes }
        startReading(0)
    }

    /// Reads no more, and lets go of whoever was to be told.
    func stop() { listen(to: nil) }

    /// Copies bytes to send: none at the end of the stream, and `nil` when there are none yet.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        let (count, room) = try state.withLock { state throws in
            (try state.supply.take(into: buffer), state.supply.isLow ? state.room.take() : nil)
        }
        room?.resume()
        return count
    }

    /// Begins anew, for bytes that have to be sent again.
    ///
    /// - Returns: whether that is possible.
    func rewind() -> Bool {
        let (hasBegun, reading) = state.withLock { ($0.supply.hasBegun, $0.supply.reading) }
        guard hasBegun else { return true }
        guard stream.isReplayable, let reading else { return false }
        listen(to: reading + 1)
        startReading(reading + 1)
        return true
    }

    private func listen(to reading: Int?) {
        let (reader, room) = state.withLock { state in
            state.supply.listen(to: reading)
            if reading == nil { state.onBytes = nil }
            return (state.reader.take(), state.room.take())
        }
        reader?.cancel()
        room?.resume()
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
            // What completes the announced length waits for the end: more than that must not be taken for all.
            var last: Data?
            for try await piece in stream where !piece.isEmpty {
                count += Int64(piece.count)
                if let length, count > length { throw mismatch("at least \(count)", length) }
                if count == length { last = piece } else if await !give(piece, reading) { return }
            }
            if let length, count < length { throw mismatch("\(count)", length) }
            if let last, await !give(last, reading) { return }
            finish(.success(()), reading)
        } catch {
            finish(.failure(error), reading)
        }
    }

    private func mismatch(_ count: String, _ length: Int64) -> NetworkError {
        NetworkError(.requestBody, reason: "the body's stream gave \(count) bytes and had announced \(length)")
    }

    /// Hands a piece over as soon as there is room.
    ///
    /// - Returns: whether anybody wants more.
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
