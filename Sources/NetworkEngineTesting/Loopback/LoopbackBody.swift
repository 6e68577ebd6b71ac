public import Foundation

/// The payload of a response; what does not end or is very large is made while it is sent.
public enum LoopbackBody: Sendable {
    case data(Data)
    /// The pattern over and over until there are so many bytes; without a number, until the client has gone.
    case repeating(Data, count: Int?)

    public static let empty = Self.data(Data())

    /// How many bytes there are; `nil` when there is no end.
    public var count: Int? {
        switch self {
        case .data(let data): data.count
        case .repeating(let pattern, let count): pattern.isEmpty ? 0 : count
        }
    }

    func bytes(_ range: Range<Int>) -> [UInt8] {
        switch self {
        case .data(let data):
            return Array(data[(data.startIndex + range.lowerBound)..<(data.startIndex + range.upperBound)])
        case .repeating(let pattern, _):
            if pattern.count == 1, let byte = pattern.first { return Array(repeating: byte, count: range.count) }
            let start = range.lowerBound % max(1, pattern.count)
            var bytes = Array(pattern.dropFirst(start) + pattern.prefix(start))
            // A pattern is short and a body is long.
            while !bytes.isEmpty, bytes.count < range.count { bytes += bytes }
            bytes.removeLast(bytes.count - range.count)
            return bytes
        }
    }
}
