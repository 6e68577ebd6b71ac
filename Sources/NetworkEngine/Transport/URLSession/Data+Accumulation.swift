import Foundation

extension Data {
    /// Adds a piece of a body. A body of one piece is not copied.
    mutating func accumulate(_ piece: Data, expecting length: Int64?) {
        guard !isEmpty else {
            self = piece
            if let length, length > piece.count {
                // What a server announces is not believed beyond a mebibyte.
                reserveCapacity(Int(Swift.min(length, 1 << 20)))
            }
            return
        }
        append(piece)
    }
}
