package import Foundation

/// The stored data that a response asks to remove, in its field `Clear-Site-Data`.
package struct ClearSiteData: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The stored responses of the origin.
    package static let cache = ClearSiteData(rawValue: 1)
    /// The cookies of the site.
    package static let cookies = ClearSiteData(rawValue: 2)

    /// Reads the fields of a response. Only responses over `https` can remove data.
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
