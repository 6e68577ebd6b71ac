import Foundation
import NetworkEngine

/// Decompresses complete data with the system's zlib.
enum Inflater {
    /// Decompresses `gzip`, including all members, or `deflate`.
    ///
    /// - Returns: `nil` if zlib is missing, the data is malformed or truncated, or the result exceeds the limit.
    static func inflate(_ data: Data, limit: Int) -> Data? {
        guard let zlib = Zlib.inflating, !data.isEmpty, data.count <= Int(clamping: UInt32.max) else { return nil }
        // zlib stores the address.
        let stream = UnsafeMutablePointer<Zlib.Stream>.allocate(capacity: 1)
        stream.initialize(to: Zlib.Stream())
        defer { stream.deallocate() }
        // With 32 added to the window bits, zlib detects gzip and the format that HTTP calls deflate.
        guard zlib.begin(stream, 15 + 32, "1", Int32(MemoryLayout<Zlib.Stream>.size)) == 0 else { return nil }
        defer { _ = zlib.end(stream) }
        return data.withUnsafeBytes { bytes in
            stream.pointee.input = bytes.bindMemory(to: UInt8.self).baseAddress
            stream.pointee.inputCount = UInt32(bytes.count)
            return output(of: stream, by: zlib, limit: limit)
        }
    }

    private static func output(
        of stream: UnsafeMutablePointer<Zlib.Stream>,
        by zlib: Zlib.Functions<Zlib.BeginInflating>,
        limit: Int
    ) -> Data? {
        let (going, ended): (Int32, Int32) = (0, 1)
        var result = Data()
        var piece = Data(count: pieceLength)
        let isGzip = beginsMember(stream.pointee)
        while true {
            let code = piece.withUnsafeMutableBytes { output in
                stream.pointee.output = output.bindMemory(to: UInt8.self).baseAddress
                stream.pointee.outputCount = UInt32(output.count)
                return zlib.step(stream, 0)
            }
            let left = Int(stream.pointee.outputCount)
            result += piece.prefix(pieceLength - left)
            if code == ended {
                if stream.pointee.inputCount == 0 { return result.count <= limit ? result : nil }
                // Another member follows (RFC 1952, 2.2).
                guard isGzip, beginsMember(stream.pointee), result.count <= limit, zlib.reset(stream) == 0 else {
                    return nil
                }
                continue
            }
            // A step without output means that the data is truncated.
            guard code == going, left < pieceLength, result.count <= limit else { return nil }
        }
    }

    /// Whether a member of the gzip format begins at the input.
    private static func beginsMember(_ stream: Zlib.Stream) -> Bool {
        guard let input = stream.input, stream.inputCount >= 2 else { return false }
        return input[0] == 0x1F && input[1] == 0x8B
    }

    private static let pieceLength = 64 << 10
}
