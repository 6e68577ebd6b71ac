import Foundation

/// The fields of a DER certificate (RFC 5280, 4.1) that are compared for pins and self-signed certificates.
package struct CertificateFields: Hashable, Sendable {
    let issuer: [UInt8]
    let subject: [UInt8]
    /// The whole `SubjectPublicKeyInfo`: the key and its algorithm.
    let publicKeyInfo: [UInt8]

    /// - Returns: `nil` for bytes that are not a certificate.
    init?(der: Data) {
        var file = DERReader([UInt8](der)[...])
        guard let certificate = file.next(.sequence) else { return nil }
        var parts = DERReader(certificate.content)
        guard let signed = parts.next(.sequence) else { return nil }
        var fields = DERReader(signed.content)
        fields.skip(.version)
        guard fields.next(.integer) != nil, fields.next(.sequence) != nil,
            let issuer = fields.next(.sequence), fields.next(.sequence) != nil,
            let subject = fields.next(.sequence), let key = fields.next(.sequence)
        else { return nil }
        self.issuer = Array(issuer.encoded)
        self.subject = Array(subject.encoded)
        publicKeyInfo = Array(key.encoded)
    }

    /// Whether the certificate is its own issuer.
    var isSelfIssued: Bool { issuer == subject }
}

/// Reads the elements of DER bytes one after the other.
private struct DERReader {
    enum Tag: UInt8 {
        case integer = 0x02
        case sequence = 0x30
        case version = 0xA0
    }

    struct Element {
        let content: ArraySlice<UInt8>
        /// Includes its tag and length.
        let encoded: ArraySlice<UInt8>
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// The next element, if it is one of this kind.
    mutating func next(_ tag: Tag) -> Element? {
        var reading = rest
        guard reading.popFirst() == tag.rawValue, let length = Self.length(&reading), length <= reading.count else {
            return nil
        }
        let content = reading.prefix(length)
        defer { rest = reading.dropFirst(length) }
        return Element(content: content, encoded: rest[rest.startIndex..<content.endIndex])
    }

    mutating func skip(_ tag: Tag) { _ = next(tag) }

    private static func length(_ bytes: inout ArraySlice<UInt8>) -> Int? {
        guard let first = bytes.popFirst() else { return nil }
        guard first & 0x80 != 0 else { return Int(first) }
        let count = Int(first & 0x7F)
        // Four bytes are 4 GiB.
        guard (1...4).contains(count), bytes.count >= count else { return nil }
        defer { bytes = bytes.dropFirst(count) }
        return Int(exactly: bytes.prefix(count).reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }
}
