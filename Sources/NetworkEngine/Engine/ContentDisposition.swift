import Foundation

/// The parameters of a `Content-Disposition` (RFC 6266), of which the file's name is wanted.
struct ContentDisposition {
    private var parameters: [String: String] = [:]

    init(_ header: String) {
        var rest = header.drop { $0 != ";" }
        while !rest.isEmpty {
            rest = rest.dropFirst()
            let name = rest.prefix { $0 != "=" && $0 != ";" }
            rest = rest[name.endIndex...]
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst().drop { $0.isWhitespace }
            let value = rest.first == "\"" ? Self.quoted(&rest) : rest.prefix { $0 != ";" }.trimmed
            rest = rest.drop { $0 != ";" }
            let key = name.trimmed.lowercased()
            if parameters[key] == nil { parameters[key] = value }
        }
    }

    /// The names that are suggested, the best first.
    var fileNames: [String] { [extendedFileName, parameters["filename"]].compactMap(\.self) }

    /// `filename*=UTF-8''na%C3%AFve.txt`
    private var extendedFileName: String? {
        let parts = parameters["filename*"]?.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false) ?? []
        guard parts.count == 3, parts[0].lowercased() == "utf-8" else { return nil }
        return String(parts[2]).removingPercentEncoding
    }

    /// Takes a quoted text off the front.
    private static func quoted(_ rest: inout Substring) -> String {
        var text = ""
        var isEscaped = false
        rest = rest.dropFirst()
        while let character = rest.popFirst() {
            if isEscaped || (character != "\\" && character != "\"") {
                text.append(character)
                isEscaped = false
            } else if character == "\"" {
                break
            } else {
                isEscaped = true
            }
        }
        return text
    }
}

extension Substring {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
