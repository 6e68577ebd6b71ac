public import Foundation

extension BodyStream {
    /// Gives the pieces of a stream in their order.
    ///
    /// The iterator owns its reading: the reading ends with the iterator, even while the stream is in scope.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reading: Reading

        init(reading: Reading) { self.reading = reading }

        /// The next piece; `nil` when all have come. Throws `CancellationError` when the task is canceled.
        @concurrent
        public mutating func next() async throws -> Data? { try await reading.next() }
    }

    /// One reading of a stream. It continues where it stopped, in whatever task it is asked for the next piece.
    package struct Reading: Sendable {
        package typealias Read = @Sendable () async throws -> Data?

        /// `nil` when a task was canceled that asked for a piece.
        private let read: Locked<Read?>

        /// - Parameter read: gives the next piece. It owns whatever the pieces come from, and is dropped at a cancellation.
        package init(_ read: @escaping Read) {
            self.read = Locked(read)
        }

        /// A reading of a sequence that its user has made.
        init(of pieces: AsyncThrowingStream<Data, any Error>) {
            self.init {
                var iterator = pieces.makeAsyncIterator()
                return try await iterator.next()
            }
        }

        /// The next piece; `nil` when all have come.
        @concurrent
        package func next() async throws -> Data? {
            if Task.isCancelled { cutOff() }
            guard let read = read.withLock({ $0 }) else { throw CancellationError() }
            if let piece = try await read() { return piece }
            // A sequence may end without an error when its reader is canceled.
            guard Task.isCancelled else { return nil }
            cutOff()
            throw CancellationError()
        }

        private func cutOff() {
            // Returned, so that what the reading owns is let go of outside the lock.
            _ = read.withLock { $0.take() }
        }
    }
}
