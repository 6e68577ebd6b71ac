package import Foundation

/// The stored data to remove, from a response's `Clear-Site-Data` field.
package struct ClearSiteData: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The origin's stored responses.
    package static let cache = ClearSiteData(rawValue: 1)
    /// The site's cookies.
    package static let cookies = ClearSiteData(rawValue: 2)

    /// Parses a response's fields. Only responses over `https` can remove data.
    package init(_ headers: HTTPHeaders, from url: URL) {
        self = []
        guard headers.contains("Clear-Site-Data"), url.origin.isSecure else { return }
        for kind in ListField.members(of: headers.values(for: "Clear-Site-Data")) {
            switch kind {
            case "\"cache\"": insert(.cache)
            case "\"cookies\"": insert(.cookies)
            case "\"*\"": formUnion([.cache, .cookies])
            default: break
            }
        }
    }
}
