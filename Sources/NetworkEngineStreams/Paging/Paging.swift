import Foundation
import NetworkEngine

/// How a list continues: where a response specifies the next page, and which query items its request has.
///
/// ```swift
/// client.pages(of: [User].self, from: .get("/users"), by: .link)                               // Link: …; rel="next"
/// client.pages(of: UserPage.self, from: .get("/users"), by: .cursor("after", \.nextCursor))    // ?after=…
/// client.pages(of: [User].self, from: .get("/users"), by: .number("page"))                     // ?page=2
/// provider.pages(of: UserPage.self, from: .users, by: .offset("offset", count: \.users.count)) // ?offset=20
/// ```
/// Everything else in the request is the same for every page. For any other kind of paging, use the methods with a
/// closure that returns the next endpoint or target.
public struct Paging<Page: Sendable>: Sendable {
    /// The difference between the requests for the next page and the first page.
    enum Change: Sendable {
        case items([URLQueryItem])
        case link(ServerLink)
        /// The next page cannot be requested.
        case failure(NetworkError)
    }

    /// Returns the change for the page after a response; `nil` for the last page.
    ///
    /// - Parameter item: returns the value of a query item in the request for the current page.
    let change: @Sendable (_ page: NetworkResponse<Page>, _ item: (_ name: String) -> String?) -> Change?
}

extension Paging {
    /// The next page has the URL in the `Link` header with the relation `next` (RFC 8288).
    ///
    /// A response without such a link is the last page. A link with an `anchor` for another URL is ignored.
    ///
    /// If a query item in the link repeats an interceptor's credential, the item is removed, and the interceptor adds
    /// the current credential.
    ///
    /// A request to another origin contains only header fields known to be harmless, and neither credentials nor a
    /// body, regardless of what `RedirectPolicy` allows for redirects. Requests to an origin in
    /// `NetworkConfiguration.trustedOrigins` contain them. If the configuration does not allow absolute paths, or the
    /// link leads from `https` to `http`, the next page throws an `.invalidRequest` error.
    public static var link: Paging {
        Paging { page, _ in
            let address = page.response.request.url
            let link = page.response.links.first { $0.relations.contains("next") && $0.context == address }
            guard let link else { return nil }
            guard let url = link.url else {
                let reason = "the link to the next page is not a URL"
                return .failure(NetworkError(kind: .invalidResponse, reason: reason, response: page.response))
            }
            return .link(ServerLink(url, to: "the next page", in: page.response))
        }
    }

    /// Requests the next page with a cursor from the current page. A page without a cursor, or with an empty one, is
    /// the last.
    ///
    /// - Parameter name: the name of the query item.
    public static func cursor<Cursor: LosslessStringConvertible & SendableMetatype>(
        _ name: String,
        _ cursor: @escaping @Sendable (Page) -> Cursor?
    ) -> Paging {
        Paging { page, _ in
            guard let cursor = cursor(page.value)?.description, !cursor.isEmpty else { return nil }
            return .items([URLQueryItem(name: name, value: cursor)])
        }
    }

    /// Requests the next page by its number.
    ///
    /// - Parameters:
    ///   - name: the name of the query item.
    ///   - first: the number of the first page, unless its request contains one.
    ///   - hasMore: returns whether there is a page after this one.
    public static func number(
        _ name: String = "page",
        startingAt first: Int = 1,
        while hasMore: @escaping @Sendable (Page) -> Bool
    ) -> Paging {
        Paging { page, item in
            guard hasMore(page.value) else { return nil }
            return .moving(name, from: item(name).flatMap(Int.init) ?? first, by: 1)
        }
    }

    /// Requests the next page by the number of preceding elements. A page without elements is the last.
    ///
    /// - Parameters:
    ///   - name: the name of the query item. If it is not in the request, the first page starts at 0.
    ///   - count: returns the number of elements on a page.
    public static func offset(
        _ name: String = "offset",
        count: @escaping @Sendable (Page) -> Int
    ) -> Paging {
        Paging { page, item in
            let count = count(page.value)
            return count > 0 ? .moving(name, from: item(name).flatMap(Int.init) ?? 0, by: count) : nil
        }
    }
}

extension Paging where Page: Collection {
    /// Requests the next page by its number. An empty page is the last.
    public static func number(_ name: String = "page", startingAt first: Int = 1) -> Paging {
        number(name, startingAt: first) { !$0.isEmpty }
    }

    /// Requests the next page by the number of preceding elements. An empty page is the last.
    public static func offset(_ name: String = "offset") -> Paging { offset(name) { $0.count } }
}

extension Paging.Change {
    /// A number in a query item, increased by a count; `nil` beyond the largest integer.
    fileprivate static func moving(_ name: String, from start: Int, by count: Int) -> Self? {
        let (sum, isOver) = start.addingReportingOverflow(count)
        return isOver ? nil : .items([URLQueryItem(name: name, value: String(sum))])
    }
}
