import Foundation

extension HTTPHeaders {
    /// Creates fields from the lines of a head.
    ///
    /// Lines without a colon or with an invalid name are skipped. A line that begins with a blank continues the value
    /// before it. Values that are not UTF-8 are read as Latin-1.
    package init(lines: [UInt8], dropping isDropped: (String) -> Bool = { _ in false }) {
        var fields: [Field] = []
        fields.reserveCapacity(12)
        lines.withUnsafeBufferPointer { bytes in
            var start = 0
            while start < bytes.count {
                let end = bytes.place(of: 0x0A, from: start)
                let line = UnsafeBufferPointer(rebasing: bytes[start..<end])
                start = end + 1
                if line.first == 0x20 || line.first == 0x09 {
                    guard let last = fields.indices.last else { continue }
                    fields[last].value += " " + line.text(from: 0, to: line.count)
                    continue
                }
                let colon = line.place(of: 0x3A, from: 0)
                guard colon < line.count else { continue }
                let name = line.text(from: 0, to: colon)
                guard name.isToken, !isDropped(name) else { continue }
                fields.append(Field(name: name, value: line.text(from: colon + 1, to: line.count)))
            }
        }
        self.init(fields)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The index of the next occurrence of a byte, or the end.
    fileprivate func place(of byte: UInt8, from start: Int) -> Int {
        guard let baseAddress, start < count else { return count }
        guard let found = memchr(baseAddress + start, Int32(byte), count - start) else { return count }
        return UnsafeRawPointer(found) - UnsafeRawPointer(baseAddress)
    }

    /// The text between two indices, without surrounding blanks and line ends.
    fileprivate func text(from start: Int, to end: Int) -> String {
        var start = start
        var end = end
        while start < end, self[start].isBlank { start += 1 }
        while start < end, self[end - 1].isBlank { end -= 1 }
        let bytes = UnsafeBufferPointer(rebasing: self[start..<end])
        let (isASCII, hasBreaks) = bytes.contents
        if hasBreaks {
            return Array(bytes.map { $0 == 0x0D || $0 == 0 ? 0x20 : $0 }).withUnsafeBufferPointer {
                $0.text(from: 0, to: $0.count)
            }
        }
        if isASCII { return String(decoding: bytes, as: UTF8.self) }
        return String(bytes: bytes, encoding: .utf8)
            ?? String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
    }

    /// Whether all bytes are ASCII, and whether there is a NUL or a carriage return that ends no line. Both count as
    /// blanks (RFC 9112, 2.2).
    private var contents: (isASCII: Bool, hasBreaks: Bool) {
        // Without an early exit, so that several bytes are compared at a time.
        var (sum, breaks): (UInt8, UInt8) = (0, 0)
        for byte in self {
            sum |= byte
            breaks |= (byte == 0x0D ? 1 : 0) | (byte == 0 ? 1 : 0)
        }
        return (sum < 0x80, breaks != 0)
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0D || self == 0x0A }
}
