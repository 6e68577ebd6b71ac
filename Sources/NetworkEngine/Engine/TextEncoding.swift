import Foundation

/// The charset of a response's text.
struct TextEncoding {
    let name: String
    private let encoding: String.Encoding?

    init(of response: HTTPResponse) {
        guard let charset = Self.charset(in: response.headers["Content-Type"]) else {
            (name, encoding) = Self.byMark(response.data)
            return
        }
        name = charset
        encoding = Self.known[charset]
    }

    /// The text; `nil` if the bytes are invalid. Text in an unknown charset must be UTF-8.
    func decode(_ data: Data) -> String? {
        let text = String(data: data, encoding: encoding ?? .utf8)
        return text?.first == "\u{FEFF}" ? text.map { String($0.dropFirst()) } : text
    }

    private static func charset(in contentType: String?) -> String? {
        let parameters = contentType?.split(separator: ";").dropFirst() ?? []
        for parameter in parameters {
            let pair = parameter.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard pair.count == 2, pair[0].equalsIgnoringASCIICase("charset") else { continue }
            let value = pair[1].trimmingCharacters(in: CharacterSet(charactersIn: "\"' ")).lowercased()
            if !value.isEmpty { return value }
        }
        return nil
    }

    private static func byMark(_ data: Data) -> (String, String.Encoding) {
        switch Array(data.prefix(2)) {
        case [0xFE, 0xFF], [0xFF, 0xFE]: ("utf-16", .utf16)
        default: ("utf-8", .utf8)
        }
    }

    private static let known: [String: String.Encoding] = [
        "utf-8": .utf8, "utf8": .utf8, "us-ascii": .ascii, "ascii": .ascii,
        "utf-16": .utf16, "utf-16le": .utf16LittleEndian, "utf-16be": .utf16BigEndian,
        "utf-32": .utf32, "utf-32le": .utf32LittleEndian, "utf-32be": .utf32BigEndian,
        "iso-8859-1": .isoLatin1, "latin1": .isoLatin1, "iso-8859-2": .isoLatin2,
        "windows-1250": .windowsCP1250, "windows-1251": .windowsCP1251, "windows-1252": .windowsCP1252,
        "windows-1253": .windowsCP1253, "windows-1254": .windowsCP1254,
        "shift_jis": .shiftJIS, "euc-jp": .japaneseEUC, "iso-2022-jp": .iso2022JP,
    ]
}
