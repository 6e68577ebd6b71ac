import Foundation
package import NetworkEngine

extension HTTPHeaders {
    /// Fields from the lines of a head.
    ///
    /// What is no field, a line without a colon or with a name that is no token, is skipped; a line that begins with a
    /// blank goes on with the value before it. Values that are not UTF-8 are taken for Latin-1.
    package init(lines: [UInt8], dropping isDropped: (String) -> Bool = { _ in false }) {
        var fields: [Field] = []
        fields.reserveCapacity(12)
        lines.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
                let line = rest[..<end]
                rest = rest[end...].dropFirst()
                if line.first == 0x20 || line.first == 0x09 {
                    guard let last = fields.indices.last else { continue }
                    fields[last].value += " " + String(field: line.trimmed)
                    continue
                }
                guard let colon = line.firstIndex(of: 0x3A) else { continue }
                let name = String(field: line[..<colon].trimmed)
                guard name.isToken, !isDropped(name) else { continue }
                fields.append(Field(name: name, value: String(field: line[(colon + 1)...].trimmed)))
            }
        }
        self.init(fields)
    }
}

extension String {
    /// The text of a field.
    fileprivate init(field bytes: UnsafeRawBufferPointer.SubSequence) {
        if bytes.allSatisfy({ $0 < 0x80 }) {
            self = String(decoding: bytes, as: UTF8.self)
        } else {
            self =
                String(bytes: bytes, encoding: .utf8)
                ?? String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
        }
    }
}
