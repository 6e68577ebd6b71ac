import Foundation

extension HTTPResponse {
    /// The name that the server suggests, or the last component of the URL, reduced to one safe component.
    var suggestedFileName: String {
        let suggested = headers["Content-Disposition"].map(ContentDisposition.init)?.fileNames ?? []
        let names = suggested + [request.url.lastPathComponent]
        return names.lazy.compactMap(\.harmlessComponent).first ?? "download"
    }
}

extension URL {
    /// The file with this name in the folder. Throws for a name that leads outside the folder.
    func file(named name: String) throws(NetworkError) -> URL {
        let file = appendingPathComponent(name, isDirectory: false)
        // Compares bytes. `String` does not find a slash followed by a combining mark; the file system does.
        let bytes = Array(file.path.utf8)
        let slash = bytes.lastIndex(of: UInt8(ascii: "/")) ?? bytes.startIndex
        let component = String(decoding: bytes[slash...].dropFirst(), as: UTF8.self)
        guard bytes[..<slash].withoutSlashes.elementsEqual(Array(path.utf8)[...].withoutSlashes),
            component == name, !name.utf8.contains(0), !["", ".", ".."].contains(name)
        else {
            let reason = "the file name \(name.debugDescription) leads out of the folder of the download"
            throw NetworkError(kind: .invalidResponse, reason: reason)
        }
        return file
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without trailing slashes.
    fileprivate var withoutSlashes: Self { lastIndex { $0 != UInt8(ascii: "/") }.map { self[...$0] } ?? [] }
}

extension String {
    /// The text after the last separator of any platform, without characters that hide or disguise a name, and no
    /// longer than file systems allow.
    ///
    /// Works on Unicode scalars. `Character` joins a separator with the marks after it.
    fileprivate var harmlessComponent: String? {
        let component = unicodeScalars.split { $0 == "/" || $0 == "\\" }.last ?? Substring("").unicodeScalars
        let visible = component.filter { !$0.isInvisible || $0.joinsVisibly }
        let start = visible.drop { $0 == "." || $0.isBlank || $0.joinsVisibly || $0.isMark }
        let end = start.lastIndex { $0 != "." && !$0.isBlank && !$0.joinsVisibly }
        guard let end else { return nil }
        let name = String(start[...end])
        return (name.isDeviceName ? "_" + name : name).shortened(toBytes: 255)
    }

    /// Whether Windows, or a file system shared with it, treats this as a device, regardless of the extension.
    private var isDeviceName: Bool {
        let stem = unicodeScalars.prefix { $0 != "." }
        let name = String(stem).trimmingCharacters(in: .whitespaces).uppercased()
        if ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(name) { return true }
        let digits = "0123456789\u{B9}\u{B2}\u{B3}".unicodeScalars
        guard name.unicodeScalars.count == 4, let last = name.unicodeScalars.last, digits.contains(last) else {
            return false
        }
        return name.hasPrefix("COM") || name.hasPrefix("LPT")
    }

    /// The same name with a shorter stem. The extension is kept.
    private func shortened(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        let dot = unicodeScalars.lastIndex(of: ".").flatMap { self[$0...].utf8.count <= 32 ? $0 : nil } ?? endIndex
        let room = limit - self[dot...].utf8.count
        var stem = ""
        for character in self[..<dot] {
            guard stem.utf8.count + character.utf8.count <= room else { break }
            stem.append(character)
        }
        if stem.isEmpty {
            // One character can have more marks than fit into a name.
            for scalar in self[..<dot].unicodeScalars {
                guard stem.utf8.count + UTF8.width(scalar) <= room else { break }
                stem.unicodeScalars.append(scalar)
            }
        }
        return stem + self[dot...]
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is invisible: controls, directional marks, line separators and noncharacters.
    fileprivate var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint
        }
    }

    /// Whether the scalar affects the appearance of its neighbors, as scripts and emoji require: joiners and variation
    /// selectors.
    fileprivate var joinsVisibly: Bool { ["\u{200C}", "\u{200D}", "\u{FE0E}", "\u{FE0F}"].contains(self) }

    fileprivate var isBlank: Bool { properties.isWhitespace }

    /// Whether the scalar belongs to the character before it.
    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }
}
