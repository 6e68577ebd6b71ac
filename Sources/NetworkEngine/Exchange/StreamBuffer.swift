package import Foundation

/// Carries the bytes of a response from a transport to one reader, in bounded memory.
///
/// A transport that can slow its server down writes as long as `write` says that there is room, and goes on at `onRoom`.
/// One that cannot gives a limit for what may wait in a private file meanwhile.
package final class StreamBuffer: Sendable {
    /// What becomes of bytes that were written.
    package enum Answer: Hashable, Sendable {
        case room
        /// Kept, but the next ones had better wait for `onRoom`.
        case wait
        /// Not kept: more is waiting than may.
        case full
    }

    /// What is done with the exchange behind the stream; dropped when it has ended.
    package struct Source: Sendable {
        package let onRoom: @Sendable () -> Void
        package let onAbandoned: @Sendable () -> Void

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

    /// From here on a reader is behind.
    package static let memoryLimit = 512 << 10

    private let state: Locked<State>
    private let file = Locked<BodyFile?>(nil)
    private let context: TransportContext
    /// The number of bytes that may wait for the reader, for the error of a reader that is too far behind.
    package let limit: Int64

    /// - Parameters:
    ///   - fileLimit: the bytes that may wait in a file; none for a transport that stops writing when told.
    ///   - context: is told when a reader begins and ends to wait, so that silence has a limit.
    package init(fileLimit: Int64, context: TransportContext) {
        self.context = context
        limit = fileLimit > 0 ? fileLimit : Int64(Self.memoryLimit)
        state = Locked(State(backlog: Backlog(memoryLimit: Self.memoryLimit, fileLimit: fileLimit)))
    }

    /// Says what is behind the stream, before anything is written.
    ///
    /// An exchange that has ended meanwhile is not kept: nothing would release it.
    package func connect(_ source: Source) {
        state.withLock { if $0.end == nil { $0.source = source } }
    }

    /// The bytes as a stream that can be read once.
    ///
    /// The first iteration owns the reader. Dropping that iteration, or a stream without one, abandons the exchange.
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

    /// Takes bytes in.
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

    /// Says that nothing follows: because all has come, or because of an error, which comes after what has.
    package func finish(_ end: Result<Void, any Error>) {
        let readers = state.withLock { state in
            state.end = state.end ?? end
            state.source = nil
            return state.takeReaders()
        }
        for reader in readers { reader.resume() }
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

    /// Ends the exchange whose bytes nobody wants any more.
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

/// The one who reads a stream; when nobody has it any more, nobody reads.
private final class StreamReader: Sendable {
    private let buffer: StreamBuffer

    init(_ buffer: StreamBuffer) { self.buffer = buffer }

    deinit { buffer.abandon() }

    func next() async throws -> Data? { try await buffer.next() }
}
