package import Foundation
import NetworkEngine

/// Reads and rewrites compressed bodies.
package enum BodyCoding {
    /// Changes the bytes of a body, whatever its compression, and compresses them again.
    ///
    /// A body that does not change keeps its bytes. Bytes in an unsupported coding are not changed. A body that is
    /// already text despite its coding was decoded before.
    static func rewriting(_ body: Data, coding: String?, _ rewrite: (Data) -> Data) -> Data {
        guard let plain = plain(body, coding: coding) else {
            return String(data: body, encoding: .utf8) == nil ? body : rewrite(body)
        }
        let changed = rewrite(plain)
        if changed == plain { return body }
        return codings(coding).reduce(Optional(changed)) { data, coding in data.flatMap { compressed($0, by: coding) } }
            ?? Data(Redaction.placeholder.utf8)
    }

    /// The decoded bytes; `nil` if the content coding cannot be undone.
    package static func plain(_ body: Data, coding: String?) -> Data? {
        let codings = codings(coding)
        guard codings.count <= codingLimit else { return nil }
        return codings.reversed().reduce(Optional(body)) { data, coding in
            data.flatMap { formats[coding] == nil ? nil : Inflater.inflate($0, limit: lengthLimit) }
        }
    }

    /// Whether a body has any content coding.
    static func isCoded(_ coding: String?) -> Bool { !codings(coding).isEmpty }

    /// Whether the body can be searched for secrets: its coding can be undone, or it is text despite its coding.
    package static func canRead(_ body: Data, coding: String?) -> Bool {
        plain(body, coding: coding) != nil || String(data: body, encoding: .utf8) != nil
    }

    private static func compressed(_ data: Data, by coding: String) -> Data? {
        guard let format = formats[coding], let deflater = Deflater(format) else { return nil }
        guard let body = try? deflater.deflate(data), let end = try? deflater.finish() else { return nil }
        return body + end
    }

    private static func codings(_ coding: String?) -> [String] {
        (coding ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            .filter { !["identity", "none", ""].contains($0) }
    }

    private static let formats: [String: Deflater.Format] = ["gzip": .gzip, "x-gzip": .gzip, "deflate": .zlib]
    private static let codingLimit = 2
    private static let lengthLimit = 64 << 20
}
