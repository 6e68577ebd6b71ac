import Foundation

extension HTTPResponse {
    /// The name that the server suggests, else the end of the address, reduced to one harmless component.
    var suggestedFileName: String {
        let suggested = headers["Content-Disposition"].map(ContentDisposition.init)?.fileNames ?? []
        let names = suggested + [request.url.lastPathComponent]
        return names.lazy.compactMap(\.harmlessComponent).first ?? "download"
    }
}

extension String {
    /// What is behind the last separator of any platform, without control characters, and no longer than file systems take.
    fileprivate var harmlessComponent: String? {
        let component = split { $0 == "/" || $0 == "\\" }.last ?? ""
        let visible = component.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
        let name = String(String.UnicodeScalarView(visible)).trimmingCharacters(in: .whitespaces)
        return name.isEmpty || name == "." || name == ".." ? nil : name.shortened(toBytes: 255)
    }

    /// The same name with less of its stem; its extension stays.
    private func shortened(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        let dot = lastIndex(of: ".").flatMap { self[$0...].utf8.count <= 32 ? $0 : nil } ?? endIndex
        var stem = self[..<dot]
        while stem.utf8.count + self[dot...].utf8.count > limit { stem.removeLast() }
        return String(stem + self[dot...])
    }
}
