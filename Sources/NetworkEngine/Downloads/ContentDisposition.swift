import Foundation

/// The parameters of a `Content-Disposition` (RFC 6266), which name a file.
///
/// Parsed by Unicode scalars: a quote or a semicolon followed by a combining mark is a different `Character`, but still
/// a delimiter.
struct ContentDisposition {
    private typealias Scalars = Substring.UnicodeScalarView

    private var parameters: [String: String] = [:]

    init(_ header: String) {
        var rest = header.unicodeScalars.drop { $0 != ";" }
        while !rest.isEmpty {
            rest = rest.dropFirst()
            let name = rest.prefix { $0 != "=" && $0 != ";" }
            rest = rest[name.endIndex...]
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst().drop { $0.properties.isWhitespace }
            let value = rest.first == "\"" ? Self.quoted(&rest) : rest.prefix { $0 != ";" }.trimmed
            rest = rest.drop { $0 != ";" }
            let key = name.trimmed.lowercased()
            if parameters[key] == nil { parameters[key] = value }
        }
    }

    /// The suggested names, the best one first.
    var fileNames: [String] { [extendedFileName, parameters["filename"]].compactMap(\.self) }

    /// `filename*=UTF-8''na%C3%AFve.txt`
    private var extendedFileName: String? {
        let scalars = parameters["filename*"]?.unicodeScalars
        let parts = scalars?.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false) ?? []
        guard parts.count == 3, String(parts[0]).lowercased() == "utf-8" else { return nil }
        return String(parts[2]).removingPercentEncoding
    }

    /// Removes a quoted text from the front and returns it.
    private static func quoted(_ rest: inout Scalars) -> String {
        var text = String.UnicodeScalarView()
        var isEscaped = false
        rest = rest.dropFirst()
        while let scalar = rest.popFirst() {
            if isEscaped || (scalar != "\\" && scalar != "\"") {
                text.append(scalar)
                isEscaped = false
            } else if scalar == "\"" {
                break
            } else {
                isEscaped = true
            }
        }
        return String(text)
    }
}

extension Substring.UnicodeScalarView {
    fileprivate var trimmed: String { String(self).trimmingCharacters(in: .whitespaces) }
}
