import Foundation

extension HTTPHeaders {
    /// Creates fields from the lines of a head.
    ///
    /// Lines without a colon or with an invalid name are skipped. A line that starts with a blank continues the
    /// previous value. Values that are not UTF-8 are decoded as Latin-1, and cookie values so that they can be sent
    /// back.
    package init(lines: [UInt8], dropping isDropped: (String) -> Bool = { _ in false }) {
        var fields: [Field] = []
        fields.reserveCapacity(12)
        // Each check scans all lines together, because the cost depends on their number, not on their length.
        let isASCII = lines.withUnsafeBufferPointer { $0.isASCII }
        let lines = lines.withUnsafeBufferPointer { $0.hasBreaks } ? lines.withoutBreaks : lines
        lines.withUnsafeBufferPointer { bytes in
            let legal = ASCIISet.token
            var start = 0
            while start < bytes.count {
                let end = bytes.place(of: 0x0A, from: start)
                let line = start..<end
                start = end + 1
                if let first = line.first, bytes[first].isBlank {
                    guard let last = fields.indices.last else { continue }
                    fields[last].value += " " + bytes.text(in: line, isASCII)
                    continue
                }
                let colon = bytes.place(of: 0x3A, from: line.lowerBound, to: end)
                let name = bytes.trimmed(line.lowerBound..<colon)
                guard colon < end, !name.isEmpty, name.allSatisfy({ legal.contains(bytes[$0]) }) else { continue }
                let nameText = bytes.text(in: name, isASCII)
                if isDropped(nameText) { continue }
                let value = bytes.text(
                    in: (colon + 1)..<end, isASCII, isCookie: !isASCII && nameText.equalsIgnoringASCIICase("Set-Cookie")
                )
                fields.append(Field(name: nameText, value: value))
            }
        }
        self.init(fields)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether all bytes are ASCII. Without an early exit, so that several bytes are compared at a time.
    fileprivate var isASCII: Bool { reduce(into: 0) { $0 |= $1 } < 0x80 }

    /// Whether there is a NUL or a carriage return that doesn't end a line. Both count as blanks (RFC 9112, 2.2).
    fileprivate var hasBreaks: Bool {
        if place(of: 0, from: 0) < count { return true }
        var place = place(of: 0x0D, from: 0)
        while place < count {
            guard place + 1 < count, self[place + 1] == 0x0A else { return true }
            place = self.place(of: 0x0D, from: place + 2)
        }
        return false
    }

    /// The index of the next occurrence of a byte, or the end.
    fileprivate func place(of byte: UInt8, from start: Int, to end: Int? = nil) -> Int {
        let end = end ?? count
        guard let baseAddress, start < end else { return end }
        guard let found = memchr(baseAddress + start, Int32(byte), end - start) else { return end }
        return UnsafeRawPointer(found) - UnsafeRawPointer(baseAddress)
    }

    /// The range without surrounding blanks and line ends.
    fileprivate func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, self[start].isBlankOrBreak { start += 1 }
        while start < end, self[end - 1].isBlankOrBreak { end -= 1 }
        return start..<end
    }

    /// The text in a range, without surrounding blanks and line ends.
    fileprivate func text(in range: Range<Int>, _ isASCII: Bool, isCookie: Bool = false) -> String {
        let bytes = UnsafeBufferPointer(rebasing: self[trimmed(range)])
        if isASCII { return String(decoding: bytes, as: UTF8.self) }
        let text = String(bytes: bytes, encoding: .utf8)
        if isCookie { return text.flatMap { CookieBytes.hasPrivate($0) ? nil : $0 } ?? CookieBytes.text(bytes) }
        return text ?? String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
    }
}

extension [UInt8] {
    /// The lines with blanks instead of NULs and carriage returns that don't end a line. A line that starts with one
    /// does not continue the previous line.
    fileprivate var withoutBreaks: [UInt8] {
        indices.map { index in
            let endsLine = self[index] == 0x0D && index + 1 < count && self[index + 1] == 0x0A
            guard self[index] == 0 || (self[index] == 0x0D && !endsLine) else { return self[index] }
            return index == 0 || self[index - 1] == 0x0A ? 0x0D : 0x20
        }
    }
}

extension UInt8 {
    fileprivate var isBlankOrBreak: Bool { isBlank || self == 0x0D || self == 0x0A }
}
