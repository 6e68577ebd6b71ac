import Foundation

/// The parameters of a `Content-Disposition` (RFC 6266) that specify a file name.
///
/// Parsed as bytes: a quote or a semicolon followed by a combining mark is a different `Character`, but still a
/// delimiter.
struct ContentDisposition {
    private var parameters: [String: String] = [:]

    init(_ header: String) {
        let (semicolon, equals) = (UInt8(ascii: ";"), UInt8(ascii: "="))
        var rest = Array(header.utf8).drop { $0 != semicolon }
        while !rest.isEmpty {
            rest.removeFirst()
            let name = rest.prefix { $0 != equals && $0 != semicolon }
            rest = rest[name.endIndex...]
            guard rest.first == equals else { continue }
            rest.removeFirst()
            rest.removeBlanks()
            let isQuoted = rest.first == UInt8(ascii: "\"")
            let value = isQuoted ? rest.removeQuotedString().text : Self.text(rest.prefix { $0 != semicolon })
            rest = rest.drop { $0 != semicolon }
            let key = Self.text(name).lowercased()
            if parameters[key] == nil { parameters[key] = value }
        }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespaces)
    }

    /// The suggested names, starting with the best one.
    var fileNames: [String] { [extendedFileName, parameters["filename"]].compactMap(\.self) }

    /// `filename*=UTF-8''na%C3%AFve.txt`
    private var extendedFileName: String? {
        let scalars = parameters["filename*"]?.unicodeScalars
        let parts = scalars?.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false) ?? []
        guard parts.count == 3, String(parts[0]).lowercased() == "utf-8" else { return nil }
        return String(parts[2]).removingPercentEncoding
    }
}
