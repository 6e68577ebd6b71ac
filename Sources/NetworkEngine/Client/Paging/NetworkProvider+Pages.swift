import Foundation

extension NetworkProvider {
    /// Returns the pages of a list, beginning with a target. The paging says where the next page is.
    ///
    /// ```swift
    /// for try await users in provider.pages(of: [User].self, from: .users, by: .number("page")) { show(users) }
    /// ```
    /// The first page is requested when it is awaited. Each page is a request of the same target.
    public func pages<Page: Decodable & Sendable>(
        of type: Page.Type,
        from target: Target,
        by paging: Paging<Page>
    ) -> Pages<Page> {
        Pages(from: .page(of: TargetPage(target: target, engine: engine), by: paging))
    }

    /// Returns the pages of a list, which starts at a target.
    ///
    /// The first page is requested when it is awaited.
    ///
    /// - Parameter next: returns the target of the page after a response; `nil` if that was the last one. A target with
    ///   an absolute URL as its path is sent without secret headers to an origin that is not trusted.
    public func pages<Page: Decodable & Sendable>(
        of type: Page.Type,
        from target: Target,
        next: @escaping @Sendable (NetworkResponse<Page>) -> Target?
    ) -> Pages<Page> {
        Pages(from: .page(of: TargetPage(target: target, engine: engine), next: next))
    }
}

/// A page of a target: the first one, or one with a changed address.
private struct TargetPage<Target: TargetType>: Sendable {
    let target: Target
    let engine: RequestEngine
    var items: [URLQueryItem] = []
    var link: PageLink?

    /// Makes the request of the page.
    ///
    /// - Parameter following: returns the page after a response to the request.
    func prepared<Page: Decodable & Sendable>(
        following: @escaping @Sendable (NetworkResponse<Page>, HTTPRequest) -> PageRequest<Page>?
    ) throws(NetworkError) -> PageRequest<Page>.Prepared {
        var options = CallOptions(target: target)
        let request = try request(&options)
        return PageRequest.Prepared(
            identity: request.hashOfPage,
            load: { [engine, options] () throws(NetworkError) in
                try await engine.value(of: request, options, decoding: .page())
            },
            following: { following($0, request) }
        )
    }

    private func request(_ options: inout CallOptions) throws(NetworkError) -> HTTPRequest {
        let first = try options.request(for: target, .request, by: engine.builder)
        if let link {
            let request = try first.following(link, by: engine.builder.rules)
            try request.validate()
            return request
        }
        return items.isEmpty ? first : first.setting(items)
    }

    /// Returns the page with another target.
    func at(_ target: Target) -> TargetPage { TargetPage(target: target, engine: engine) }
}

extension PageRequest where Page: Decodable {
    fileprivate static func page<Target>(
        of page: TargetPage<Target>,
        next: @escaping @Sendable (NetworkResponse<Page>) -> Target?
    ) -> PageRequest {
        PageRequest { () throws(NetworkError) in
            try page.prepared { response, _ in next(response).map { .page(of: page.at($0), next: next) } }
        }
    }

    fileprivate static func page<Target>(
        of page: TargetPage<Target>,
        by paging: Paging<Page>
    ) -> PageRequest {
        PageRequest { () throws(NetworkError) in
            try page.prepared { response, request in
                var next = page
                switch paging.change(response, request.item) {
                case nil: return nil
                case .items(let items): next.items = items
                case .link(let link): next.link = link
                case .failure(let error): return PageRequest { () throws(NetworkError) in throw error }
                }
                return .page(of: next, by: paging)
            }
        }
    }
}
