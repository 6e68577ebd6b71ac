/// Copies a body into a stream while the stream has room.
///
/// A value driven by the stream's events. It never waits for room.
struct BodyPump: Sendable {
    enum Step: Hashable, Sendable {
        /// The stream is full.
        case full
        /// All bytes are in the stream, or the stream accepts no more.
        case end
        /// The body could not be read. The body has the reason.
        case unreadable
    }

    private let body: UploadBody
    private var offset: Int64 = 0
    private var piece = [UInt8](repeating: 0, count: 64 << 10)
    /// The piece's bytes that are not in the stream yet.
    private var rest = 0..<0

    init(_ body: UploadBody) { self.body = body }

    /// Writes until the stream is full.
    ///
    /// - Parameter write: writes bytes to the stream, and returns their number; zero or less if it accepts no more.
    mutating func fill(
        while hasRoom: () -> Bool,
        _ write: (UnsafeBufferPointer<UInt8>) -> Int
    ) -> Step {
        while true {
            if rest.isEmpty {
                guard offset < body.length else { return .end }
                do {
                    let count = try piece.withUnsafeMutableBytes { try body.read(into: $0, at: offset) }
                    offset += Int64(count)
                    rest = 0..<count
                } catch {
                    body.note(failure: error)
                    return .unreadable
                }
            }
            guard hasRoom() else { return .full }
            let count = piece.withUnsafeBufferPointer { write(UnsafeBufferPointer(rebasing: $0[rest])) }
            guard count > 0 else { return .end }
            rest = min(rest.lowerBound + count, rest.upperBound)..<rest.upperBound
        }
    }
}
