import Foundation

/// How the names of a document become those that types ask for.
enum JSONNameStyle {
    case asWritten
    /// What is written in snake case is asked for in camel case.
    case camelCase

    init?(_ strategy: JSONDecoder.KeyDecodingStrategy) {
        switch strategy {
        case .useDefaultKeys: self = .asWritten
        case .convertFromSnakeCase: self = .camelCase
        default: return nil
        }
    }

    /// The name that types ask for.
    func name(for written: String) -> String {
        guard self == .camelCase else { return written }
        var name = written
        let simple = name.withUTF8 { bytes in
            JSONCamelCase(JSONBytes(bytes), 0..<bytes.count).map { String(decoding: [UInt8]($0), as: UTF8.self) }
        }
        return simple ?? Self.camelCase(written)
    }

    /// The name in camel case, whatever letters are in it.
    private static func camelCase(_ name: String) -> String {
        guard let first = name.firstIndex(where: { $0 != "_" }), let last = name.lastIndex(where: { $0 != "_" }) else {
            return name
        }
        let words = name[first...last].split(separator: "_")
        guard words.count > 1, let start = words.first else { return name }
        let rest = words.dropFirst().map(\.capitalized).joined()
        return name[..<first] + start.lowercased() + rest + name[name.index(after: last)...]
    }
}
