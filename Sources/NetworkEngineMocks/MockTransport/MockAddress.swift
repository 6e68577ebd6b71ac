package import Foundation

/// The parts of a request's URL that rules compare, percent-decoded.
package struct MockAddress {
    /// Scheme, host and port in lower case.
    package let origin: String
    /// The path, still percent-encoded.
    package let path: String
    private let query: Substring

    package init(_ url: URL) {
        let text = url.absoluteString
        let end = text.firstIndex(of: "#") ?? text.endIndex
        let mark = text[..<end].firstIndex(of: "?") ?? end
        query = mark < end ? text[text.index(after: mark)..<end] : ""
        let authority = text.range(of: "://")?.upperBound ?? text.startIndex
        let slash = text[authority..<mark].firstIndex(of: "/") ?? mark
        origin = text[..<slash].lowercased()
        path = slash < mark ? String(text[slash..<mark]) : "/"
    }

    var segments: [String] { Self.segments(path[...]) }
    package var items: [(name: String, value: String)] { Self.items(query) }

    static func segments(_ path: Substring) -> [String] {
        let inner = path.hasPrefix("/") ? path.dropFirst() : path
        return inner.split(separator: "/", omittingEmptySubsequences: false).map(unescaped)
    }

    package static func items(_ query: Substring) -> [(name: String, value: String)] {
        query.split(separator: "&").map { item in
            let equals = item.firstIndex(of: "=") ?? item.endIndex
            let value = equals < item.endIndex ? item[item.index(after: equals)...] : ""
            return (unescaped(item[..<equals]), unescaped(value))
        }
    }

    private static func unescaped(_ text: Substring) -> String {
        text.utf8.contains(UInt8(ascii: "%")) ? text.removingPercentEncoding ?? String(text) : String(text)
    }
}
