import Foundation
import NetworkEngine

/// Text for a file, written in large pieces.
struct BufferedOutput {
    private let file: BodyFile
    private var buffer = Data()

    init(_ file: BodyFile) { self.file = file }

    mutating func write(_ text: String) { buffer.append(contentsOf: text.utf8) }

    mutating func write(_ data: Data) { buffer.append(data) }

    mutating func flushIfFull() throws {
        if buffer.count >= 1 << 20 { try flush() }
    }

    mutating func flush() throws {
        try file.write(buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
