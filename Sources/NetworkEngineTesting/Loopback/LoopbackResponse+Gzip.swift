import Foundation

/// What is wrong with a compressed body.
public enum LoopbackGzipFlaw: Sendable, Hashable, CaseIterable {
    case none
    /// Ends before the last block does; the declared length is that of the bytes sent.
    case truncated
    /// The checksum is not that of the content.
    case checksum
    /// Bytes that no decoder understands stand in the middle.
    case corrupted
    /// Plain content that only claims to be compressed.
    case plain
    /// Bytes that belong to nothing follow.
    case trailingBytes
}

extension LoopbackResponse {
    /// Compresses the body and says so.
    public func gzipped(_ flaw: LoopbackGzipFlaw = .none) -> Self {
        guard case .data(let content) = body else { return self }
        var copy = header("Content-Encoding", "gzip")
        copy.body = .data(Self.gzip(content, flaw))
        return copy
    }

    /// Compressed zeros: a thousandth on the wire of what they become.
    public static func gzipBomb(_ count: Int = 64 << 20) -> Self {
        data(Gzip.zeros(count: count)).header("Content-Encoding", "gzip")
    }

    private static func gzip(_ content: Data, _ flaw: LoopbackGzipFlaw) -> Data {
        var member = Gzip.stored(content)
        switch flaw {
        case .none: break
        // Without checksum, length, and the second half of the content.
        case .truncated: member.removeLast(8 + content.count / 2)
        case .checksum: member[member.endIndex - 8] ^= 0xFF
        // The length of the first block no longer matches its complement.
        case .corrupted: member[member.startIndex + 13] ^= 0xFF
        case .plain: return content
        case .trailingBytes: member.append(Data("junk".utf8))
        }
        return member
    }
}
