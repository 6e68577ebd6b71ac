public import Foundation

extension BodyStream {
    /// Gives the pieces of a stream in their order.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reading: Reading

        init(reading: Reading) { self.reading = reading }

        /// The next piece; `nil` when all have come. Throws `CancellationError` when the task is canceled.
        @concurrent
        public mutating func next() async throws -> Data? { try await reading.next() }
    }

    /// One reading of a stream. It continues where it stopped, in whatever task it is asked for the next piece.
    package struct Reading: Sendable {
        private let pieces: AsyncThrowingStream<Data, any Error>
        private let onCutOff: (@Sendable () -> Void)?
        private let isCutOff = Locked(false)

        init(_ pieces: AsyncThrowingStream<Data, any Error>, onCutOff: (@Sendable () -> Void)?) {
            self.pieces = pieces
            self.onCutOff = onCutOff
        }

        /// The next piece; `nil` when all have come.
        @concurrent
        package func next() async throws -> Data? {
            var iterator = pieces.makeAsyncIterator()
            if let piece = try await iterator.next() { return piece }
            // `AsyncThrowingStream` ends without an error when its reader is canceled, and stays at its end.
            let isCutOff = isCutOff.withLock { isCutOff in
                isCutOff = isCutOff || Task.isCancelled
                return isCutOff
            }
            guard isCutOff else { return nil }
            onCutOff?()
            throw CancellationError()
        }
    }
}
