import NetworkEngine

/// One end of a connection within the process. Bytes sent by one end arrive at the other.
final class MemoryChannel: ByteChannel {
    private typealias Signal = OneShot<Void>

    private struct Pipe {
        var pieces: [[UInt8]] = []
        var isFinished = false
        var arrival = Signal()
        var room = Signal()
    }

    /// The sending end waits while more pieces are in flight.
    private static let mostPieces = 16

    private let incoming: Locked<Pipe>
    private let outgoing: Locked<Pipe>
    /// Whether this end has bytes waiting for buffer space.
    var isSenderWaiting: Bool { outgoing.withLock { $0.room.waiterCount > 0 } }

    private init(_ incoming: Locked<Pipe>, _ outgoing: Locked<Pipe>) {
        (self.incoming, self.outgoing) = (incoming, outgoing)
    }

    /// Creates both ends of a connection.
    static func pair() -> (MemoryChannel, MemoryChannel) {
        let (one, other) = (Locked(Pipe()), Locked(Pipe()))
        return (MemoryChannel(one, other), MemoryChannel(other, one))
    }

    func receive() async throws(NetworkError) -> [UInt8]? {
        while true {
            let (piece, isFinished, signal, room) = incoming.withLock { pipe in
                if pipe.pieces.isEmpty { return ([UInt8]?.none, pipe.isFinished, pipe.arrival, Signal?.none) }
                let room = pipe.room
                pipe.room = Signal()
                return (pipe.pieces.removeFirst(), false, pipe.arrival, room)
            }
            room?.settle(())
            if let piece { return piece }
            if isFinished { return nil }
            try await wait(for: signal)
        }
    }

    func send(_ bytes: [UInt8]) async throws(NetworkError) {
        while true {
            let (wait, signal, isFinished) = outgoing.withLock { pipe -> (Signal?, Signal?, Bool) in
                if pipe.isFinished { return (nil, nil, true) }
                if pipe.pieces.count >= Self.mostPieces { return (pipe.room, nil, false) }
                pipe.pieces.append(bytes)
                defer { pipe.arrival = Signal() }
                return (nil, pipe.arrival, false)
            }
            if isFinished { throw NetworkError(.lostMidBody, reason: "the other end has closed the connection") }
            signal?.settle(())
            guard let wait else { return }
            try await self.wait(for: wait)
        }
    }

    func close() {
        for pipe in [incoming, outgoing] {
            let signals = pipe.withLock { pipe in
                pipe.isFinished = true
                return [pipe.arrival, pipe.room]
            }
            for signal in signals { signal.settle(()) }
        }
    }

    private func wait(for signal: Signal) async throws(NetworkError) {
        do throws(CancellationError) {
            try await signal.wait()
        } catch {
            throw NetworkError(kind: .cancelled)
        }
    }
}
