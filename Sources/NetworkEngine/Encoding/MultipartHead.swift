import Foundation

/// The header lines of one part.
enum MultipartHead {
    static func text(of part: MultipartFormData, label: String) throws(NetworkError) -> String {
        guard !part.name.isEmpty else { throw .invalid("\(label) has no name") }
        var head = "Content-Disposition: form-data; name=\"\(escape(normalizeLineBreaks(part.name)))\""
        let fileName = part.fileName ?? part.provider.fileName
        if let fileName { head += "; filename=\"\(escape(fileName))\"" }
        head += "\r\n"
        if let type = part.mimeType ?? part.provider.contentType ?? fileName.map(MediaType.forFile(named:)) {
            guard isMediaType(type) else {
                throw .invalid("\(label) has the content type \(type.debugDescription), which is not one")
            }
            head += "Content-Type: \(type)\r\n"
        }
        return head + (try lines(of: part.headers, label))
    }

    private static func lines(of headers: HTTPHeaders, _ label: String) throws(NetworkError) -> String {
        if let fault = headers.fault { throw .invalid("\(label) has headers that are not valid: \(fault)") }
        for name in ["Content-Disposition", "Content-Type"] where headers.contains(name) {
            throw .invalid("\(label) has the header \(name), which is made of its other properties")
        }
        return headers.map { "\($0.name): \($0.value)\r\n" }.joined()
    }

    /// Escapes quotes and line breaks like browsers, and also all other control characters.
    ///
    /// A backslash at the end becomes `%5C`, because some parsers interpret it and the closing quote as an escaped
    /// quote.
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

    /// Converts line breaks in a field's name to CR LF, like the form submission algorithm. File names do not change.
    private static func normalizeLineBreaks(_ name: String) -> String {
        let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        var bytes: [UInt8] = []
        var previous: UInt8 = 0
        for byte in name.utf8 {
            if byte == carriageReturn || (byte == lineFeed && previous != carriageReturn) {
                bytes += [carriageReturn, lineFeed]
            } else if byte != lineFeed {
                bytes.append(byte)
            }
            previous = byte
        }
        return String(decoding: bytes, as: UTF8.self)
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

    fileprivate var contentType: String? {
        if case .json = self { JSONBody.contentType } else { nil }
    }
}

/// The content types for file extensions.
enum MediaType {
    /// The content type of a file; `application/octet-stream` for an unknown extension.
    static func forFile(named name: String) -> String {
        guard let dot = name.lastIndex(of: ".") else { return fallback }
        return byExtension[name[name.index(after: dot)...].lowercased()] ?? fallback
    }

    private static let fallback = "application/octet-stream"

    private static let byExtension = [
        "7z": "application/x-7z-compressed", "aac": "audio/aac", "avi": "video/x-msvideo", "avif": "image/avif",
        "bin": "application/octet-stream", "bmp": "image/bmp", "css": "text/css", "csv": "text/csv",
        "doc": "application/msword",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "epub": "application/epub+zip", "flac": "audio/flac", "gif": "image/gif", "gz": "application/gzip",
        "heic": "image/heic", "heif": "image/heif", "htm": "text/html", "html": "text/html", "ico": "image/x-icon",
        "ics": "text/calendar", "jpeg": "image/jpeg", "jpg": "image/jpeg", "js": "text/javascript",
        "json": "application/json", "log": "text/plain", "m4a": "audio/mp4", "m4v": "video/x-m4v",
        "md": "text/markdown", "mid": "audio/midi", "mkv": "video/x-matroska", "mov": "video/quicktime",
        "mp3": "audio/mpeg",
        "mp4": "video/mp4", "mpeg": "video/mpeg", "mpg": "video/mpeg", "ndjson": "application/x-ndjson",
        "oga": "audio/ogg", "ogg": "audio/ogg", "ogv": "video/ogg", "opus": "audio/ogg", "otf": "font/otf",
        "pdf": "application/pdf", "png": "image/png", "ppt": "application/vnd.ms-powerpoint",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "rtf": "application/rtf", "svg": "image/svg+xml", "tar": "application/x-tar", "tif": "image/tiff",
        "tiff": "image/tiff", "ttf": "font/ttf", "txt": "text/plain", "vcf": "text/vcard", "wasm": "application/wasm",
        "wav": "audio/wav", "weba": "audio/webm", "webm": "video/webm", "webp": "image/webp", "woff": "font/woff",
        "woff2": "font/woff2", "xls": "application/vnd.ms-excel",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xml": "application/xml",
        "yaml": "application/yaml", "yml": "application/yaml", "zip": "application/zip",
    ]
}
