package import Foundation

/// The origins that a credential may be sent to.
package struct OriginList: Sendable {
    private let origins: Set<String>?
    private let allowsAll: Bool

    /// - Parameter urls: `nil` for the origin of each target's own base.
    package init(_ urls: [URL]?, allowsAll: Bool = false) {
        origins = urls.map { Set($0.map(\.origin)) }
        self.allowsAll = allowsAll
    }

    /// Whether an address, of a call for this target, may get the credential.
    package func allows(_ url: URL, for target: (any TargetType)?) -> Bool {
        if allowsAll { return true }
        if let origins { return origins.contains(url.origin) }
        guard let base = target?.baseURL else { return false }
        return url.beginsLike(base) || url.origin == base.origin
    }
}

extension URL {
    /// Whether scheme and authority are written the same. Says nothing when they are not, but costs next to nothing.
    fileprivate func beginsLike(_ other: URL) -> Bool {
        var slashes = 0
        let slash = UInt8(ascii: "/")
        let (left, right) = (absoluteString.utf8, other.absoluteString.utf8)
        var (index, otherIndex) = (left.startIndex, right.startIndex)
        while index < left.endIndex, otherIndex < right.endIndex {
            guard left[index] == right[otherIndex] else { break }
            if left[index] == slash { slashes += 1 }
            if slashes == 3 { return true }
            left.formIndex(after: &index)
            right.formIndex(after: &otherIndex)
        }
        // Both must end their authority here, or one of them go on with a path.
        let isLeftOver = index == left.endIndex || left[index] == slash || left[index] == UInt8(ascii: "?")
        let isRightOver = otherIndex == right.endIndex || right[otherIndex] == slash
        return slashes == 2 && isLeftOver && isRightOver
    }
}
