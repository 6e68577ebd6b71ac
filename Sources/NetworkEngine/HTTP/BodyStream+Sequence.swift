public import Foundation

extension BodyStream {
    /// Makes a stream of what a sequence gives; it is asked for the next piece when the one before was taken.
    ///
    /// ```swift
    /// let body = BodyStream(recording.chunks, length: recording.byteCount)
    /// ```
    /// - Parameter isReplayable: whether the sequence gives the same again when it is iterated anew.
    public init<Pieces: AsyncSequence & Sendable>(
        _ pieces: Pieces,
        length: Int64? = nil,
        isReplayable: Bool = false
    ) where Pieces.Element == Data {
        self.init(length: length, isReplayable: isReplayable, reading: { Reading(Pump(pieces).next) })
    }
}

/// Iterates a sequence in a task of its own, which ends with the one who reads.
private final class Pump: Sendable {
    private let handoff: Handoff<Data>
    private let work: Task<Void, Never>

    init<Pieces: AsyncSequence & Sendable>(_ pieces: Pieces) where Pieces.Element == Data {
        let handoff = Handoff<Data>()
        self.handoff = handoff
        work = Task {
            do {
                for try await piece in pieces where await !handoff.give(piece) { return }
                // A sequence that ends because its reader is canceled is not complete.
                try Task.checkCancellation()
                handoff.finish(.success(()))
            } catch {
                handoff.finish(.failure(error))
            }
        }
    }

    deinit { work.cancel() }

    func next() async throws -> Data? { try await handoff.take() }
}
