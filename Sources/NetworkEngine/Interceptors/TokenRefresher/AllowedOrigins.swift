import Foundation

/// The origins that receive a credential.
package struct AllowedOrigins: Sendable {
    private let origins: Set<Origin>?
    private let allowsAll: Bool

    /// - Parameter urls: `nil` for the origin of each call's base URL.
    init(_ urls: [URL]?, allowsAll: Bool = false) {
        origins = urls.map { Set($0.map(\.origin)) }
        self.allowsAll = allowsAll
    }

    /// Whether a URL receives the credential in a call.
    func allows(_ url: URL, in context: RequestContext) -> Bool {
        if allowsAll { return true }
        if let origins { return origins.contains(url.origin) }
        guard let base = context.baseURL else { return false }
        return url.beginsLike(base) || url.origin == base.origin
    }
}

extension URL {
    /// Whether scheme and authority are spelled the same: a fast check that can miss equal origins.
    fileprivate func beginsLike(_ other: URL) -> Bool {
        var (text, otherText) = (absoluteString, other.absoluteString)
        return text.withUTF8 { text in otherText.withUTF8 { Self.beginAlike(text, $0) } }
    }

    private static func beginAlike(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        let slash = UInt8(ascii: "/")
        let length = min(left.count, right.count)
        var (index, slashes) = (0, 0)
        while index < length, left[index] == right[index] {
            if left[index] == slash { slashes += 1 }
            if slashes == 3 { return true }
            index += 1
        }
        // Both authorities must end here: at the end of the text, or before a path or query.
        let isLeftOver = index == left.count || left[index] == slash || left[index] == UInt8(ascii: "?")
        let isRightOver = index == right.count || right[index] == slash
        return slashes == 2 && isLeftOver && isRightOver
    }
}
