import Foundation

/// The header lines of one part.
enum MultipartHead {
    static func text(of part: MultipartFormData, label: String) throws(NetworkError) -> String {
        guard !part.name.isEmpty else { throw .invalid("\(label) has no name") }
        var head = "Content-Disposition: form-data; name=\"\(escape(normalizeLineBreaks(part.name)))\""
        let fileName = part.fileName ?? part.provider.fileName
        if let fileName { head += "; filename=\"\(escape(fileName))\"" }
        head += "\r\n"
        if let type = part.mimeType ?? fileName.map(MediaType.forFile(named:)) {
            guard isMediaType(type) else {
                throw .invalid("\(label) has the content type \(type.debugDescription), which is not one")
            }
            head += "Content-Type: \(type)\r\n"
        }
        return head
    }

    /// Escapes a quote and line breaks as browsers do, and the other control characters, which no parser expects.
    ///
    /// A backslash at the end becomes `%5C` too. Some parsers take it and the closing quote for an escaped quote, others
    /// take two backslashes for that.
    private static func escape(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            let isKept = byte >= 0x20 && byte != 0x7F && byte != UInt8(ascii: "\"")
            if isKept { bytes.append(byte) } else { bytes.append(percentEncoded: byte) }
        }
        if bytes.last == UInt8(ascii: "\\") {
            bytes.removeLast()
            bytes.append(percentEncoded: UInt8(ascii: "\\"))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Makes every line break of a field's name CR LF, as the form submission algorithm has it; file names are not touched.
    private static func normalizeLineBreaks(_ name: String) -> String {
        var text = String.UnicodeScalarView()
        var isBehindReturn = false
        for scalar in name.unicodeScalars {
            if scalar == "\r" || (scalar == "\n" && !isBehindReturn) {
                text.append(contentsOf: "\r\n".unicodeScalars)
            } else if scalar != "\n" {
                text.append(scalar)
            }
            isBehindReturn = scalar == "\r"
        }
        return String(text)
    }

    private static func isMediaType(_ text: String) -> Bool {
        let halves = text.prefix { $0 != ";" }.split(separator: "/", omittingEmptySubsequences: false)
        return halves.count == 2
            && halves.allSatisfy { String($0).trimmedTrailingSpace.isToken }
            && text.utf8.allSatisfy { (0x20..<0x7F).contains($0) || $0 == 0x09 }
    }
}

extension String {
    fileprivate var trimmedTrailingSpace: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}

extension MultipartFormData.Provider {
    fileprivate var fileName: String? {
        if case .file(let url) = self { url.lastPathComponent } else { nil }
    }
}
