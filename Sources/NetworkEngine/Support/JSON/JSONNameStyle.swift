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

    /// The name that types ask for; nothing where the platform has to say it.
    func name(for written: String) -> String? {
        guard self == .camelCase else { return written }
        var written = written
        return written.withUTF8 { written in
            JSONCamelCase(JSONBytes(written), 0..<written.count).map { String(decoding: [UInt8]($0), as: UTF8.self) }
        }
    }
}
