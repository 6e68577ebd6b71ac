package import Foundation

/// Carries a response's bytes from a transport to one reader, in bounded memory.
///
/// A transport that can slow down its server writes while `write` reports room, and continues at `onRoom`. Any other
/// transport passes a limit for the bytes that may wait in a private file.
package final class StreamBuffer: Sendable {
    /// The result of a write.
    package enum Answer: Hashable, Sendable {
        case room
        /// Stored. The transport waits for `onRoom` before it writes again.
        case wait
        /// Not stored: too many bytes are waiting for the reader.
        case full
    }

    /// The exchange behind the stream. Released when the exchange has ended.
    package struct Source: Sendable {
        let onRoom: @Sendable () -> Void
        let onAbandoned: @Sendable () -> Void

        package init(
            onRoom: @escaping @Sendable () -> Void = {},
            onAbandoned: @escaping @Sendable () -> Void
        ) {
            self.onRoom = onRoom
            self.onAbandoned = onAbandoned
        }
    }

    private struct State {
        var backlog: Backlog
        var source: Source?
        var end: Result<Void, any Error>?
        var isAbandoned = false
        var isWriterWaiting = false
        var readers: [CheckedContinuation<Void, Never>] = []

        mutating func takeReaders() -> [CheckedContinuation<Void, Never>] {
            defer { readers = [] }
            return readers
        }
    }

    /// The number of bytes in memory at which the reader counts as behind.
    static let memoryLimit = 512 << 10

    private let state: Locked<State>
    private let file = Locked<BodyFile?>(nil)
    private let context: TransportContext
    /// The trailers, once they have arrived.
    package let trailers = Locked<HTTPHeaders?>(nil)
    /// The number of bytes that may wait for the reader, for the error if the reader is too far behind.
    let limit: Int64

    /// - Parameters:
    ///   - fileLimit: the number of bytes that may wait in a file; 0 for a transport that pauses when the reader is
    ///     behind.
    ///   - context: notified when the reader starts and stops waiting, so that its timeout limits silence.
    package init(fileLimit: Int64, context: TransportContext) {
        self.context = context
        limit = fileLimit > 0 ? fileLimit : Int64(Self.memoryLimit)
        state = Locked(State(backlog: Backlog(memoryLimit: Self.memoryLimit, fileLimit: fileLimit)))
    }

    /// Sets the source of the bytes, before anything is written.
    ///
    /// The source of an ended exchange is not stored, because it would never be released.
    package func connect(_ source: Source) {
        state.withLock { if $0.end == nil { $0.source = source } }
    }

    /// The bytes as a stream that can be read once.
    ///
    /// The first iteration owns the reader. Releasing that iteration, or a stream that was never iterated, abandons the
    /// exchange.
    package func stream(length: Int64?) -> BodyStream {
        let unclaimed = Locked<StreamReader?>(StreamReader(self))
        return BodyStream(length: length, isReplayable: false) {
            if let reader = unclaimed.withLock({ $0.take() }) { return BodyStream.Reading(reader.next) }
            return BodyStream.Reading {
                throw NetworkError(kind: .invalidRequest, reason: "the body of a streamed response can be read once")
            }
        }
    }

    // MARK: The transport's side; one thread at a time

    /// Adds bytes.
    package func write(_ data: Data) throws -> Answer {
        guard !data.isEmpty else { return .room }
        let (place, readers) = state.withLock { state -> (Backlog.Place, [CheckedContinuation<Void, Never>]) in
            guard !state.isAbandoned, state.end == nil else { return (.memory, []) }
            let place = state.backlog.add(data)
            return (place, place == .memory ? state.takeReaders() : [])
        }
        switch place {
        case .none: return .full
        case .memory:
            for reader in readers { reader.resume() }
        case .file(let offset, let count): try spill(data, at: offset, count)
        }
        return state.withLock { state in
            guard state.backlog.count >= Self.memoryLimit / 2, !state.isAbandoned else { return .room }
            state.isWriterWaiting = true
            return .wait
        }
    }

    /// Ends the stream, after the last byte or with an error. The reader receives the error after the bytes.
    package func finish(_ end: Result<Void, any Error>) {
        // The source is released outside the lock, with everything that it holds.
        let (readers, source) = state.withLock { state in
            state.end = state.end ?? end
            return (state.takeReaders(), state.source.take())
        }
        withExtendedLifetime(source) {}
        for reader in readers { reader.resume() }
        context.streamEnded()
    }

    private func spill(_ data: Data, at offset: Int64, _ count: Int) throws {
        let file = try file.withLock { file throws in
            if let file { return file }
            let made = try BodyFile.creating(URL.freshTemporaryFile)
            made.remove()
            file = made
            return made
        }
        try file.write(data.prefix(count), at: offset)
        if count < data.count { try file.write(data.dropFirst(count), at: 0) }
        let readers = state.withLock { state in
            state.backlog.spilled(data.count)
            return state.takeReaders()
        }
        for reader in readers { reader.resume() }
    }

    // MARK: The reader's side

    fileprivate func next() async throws -> Data? {
        while true {
            if Task.isCancelled {
                abandon()
                throw CancellationError()
            }
            let (supply, end, room) = state.withLock { state -> (Backlog.Supply, Result<Void, any Error>?, Source?) in
                let supply = state.backlog.take(atMost: 256 << 10)
                let hasRoom = state.isWriterWaiting && state.backlog.count < Self.memoryLimit / 4
                if hasRoom { state.isWriterWaiting = false }
                return (supply, state.end, hasRoom ? state.source : nil)
            }
            room?.onRoom()
            switch supply {
            case .bytes(let data): return data
            case .file(let offset, let count): return try unspill(count, at: offset)
            case .nothing: break
            }
            if let end {
                try end.get()
                return nil
            }
            await wait()
        }
    }

    /// Ends an exchange that no longer has a reader.
    fileprivate func abandon() {
        let source = state.withLock { state -> Source? in
            guard !state.isAbandoned else { return nil }
            state.isAbandoned = true
            return state.source
        }
        source?.onAbandoned()
    }

    private func wait() async {
        context.readerBeganWaiting()
        await withTaskCancellationHandler {
            await withCheckedContinuation { reader in
                let mustWait = state.withLock { state in
                    guard state.backlog.isEmpty, state.end == nil, !state.isAbandoned else { return false }
                    state.readers.append(reader)
                    return true
                }
                if !mustWait { reader.resume() }
            }
        } onCancel: {
            abandon()
            for reader in state.withLock({ $0.takeReaders() }) { reader.resume() }
        }
        context.readerEndedWaiting()
    }

    private func unspill(_ count: Int, at offset: Int64) throws -> Data {
        guard let file = file.withLock({ $0 }) else { return Data() }
        var data = Data(count: count)
        let read = try data.withUnsafeMutableBytes { try file.read(into: $0, at: offset) }
        guard read > 0 else { throw POSIXError(.EIO) }
        state.withLock { $0.backlog.unspilled(read) }
        return data.prefix(read)
    }
}

/// The reader of a stream. Releasing it abandons the exchange.
private final class StreamReader: Sendable {
    private let buffer: StreamBuffer

    init(_ buffer: StreamBuffer) { self.buffer = buffer }

    deinit { buffer.abandon() }

    func next() async throws -> Data? { try await buffer.next() }
}
