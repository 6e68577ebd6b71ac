package import Foundation

/// A recording of exchanges in HAR 1.2, the format that browsers export.
///
/// The same exchanges produce the same bytes. When a file is read, missing optional members are filled in.
package struct HARFile: Codable, Sendable {
    package var log: Log

    package struct Log: Codable, Sendable {
        var version = "1.2"
        var creator = Creator()
        package var entries: [HAREntry]
        var comment: String?
    }

    struct Creator: Codable, Sendable {
        var name = "NetworkEngine"
        var version = "1"
    }

    package init(entries: [HAREntry], comment: String? = nil) {
        log = Log(entries: entries, comment: comment)
    }

    package init(_ document: Data) throws {
        self = try JSONDecoder().decode(HARFile.self, from: document)
    }

    /// The document with sorted keys and a line break at the end.
    package var document: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(self) + Data("\n".utf8)
        }
    }
}

extension HARFile.Log {
    private enum Key: String, CodingKey { case version, creator, entries, comment }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        entries = try container.decode([HAREntry].self, forKey: .entries)
        creator = (try? container.decode(HARFile.Creator.self, forKey: .creator)) ?? HARFile.Creator()
        comment = try? container.decode(String.self, forKey: .comment)
    }
}
