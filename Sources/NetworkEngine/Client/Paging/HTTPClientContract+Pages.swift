extension HTTPClientContract {
    /// Returns the pages of a list, beginning with an endpoint. The paging says where the next page is.
    ///
    /// ```swift
    /// for try await users in client.pages(of: [User].self, from: .get("/users"), by: .link) { show(users) }
    /// ```
    /// The first page is requested when it is awaited.
    public func pages<Page: Decodable & Sendable>(
        of type: Page.Type,
        from endpoint: Endpoint,
        by paging: Paging<Page>
    ) -> Pages<Page> {
        Pages(from: .page(of: TypedEndpoint(endpoint, decoding: .page()), on: self, by: paging))
    }

    /// Returns the pages of a list, which starts at an endpoint.
    ///
    /// The first page is requested when it is awaited.
    ///
    /// - Parameter next: returns the endpoint of the page after a response; `nil` if that was the last one. An endpoint
    ///   with an absolute URL as its path is sent without secret headers to an origin that is not trusted.
    public func pages<Page: Decodable & Sendable>(
        of type: Page.Type,
        from endpoint: Endpoint,
        next: @escaping @Sendable (NetworkResponse<Page>) -> Endpoint?
    ) -> Pages<Page> {
        Pages(from: .page(of: endpoint, on: self, next: next))
    }
}

extension PageRequest where Page: Decodable {
    /// The page of an endpoint.
    fileprivate static func page(
        of endpoint: Endpoint,
        on client: some HTTPClientContract,
        next: @escaping @Sendable (NetworkResponse<Page>) -> Endpoint?
    ) -> PageRequest {
        PageRequest { () throws(NetworkError) in
            Prepared(
                identity: endpoint.hashValue,
                load: { () throws(NetworkError) in
                    try await client.request(TypedEndpoint(endpoint, decoding: .page()))
                },
                following: { page in next(page).map { .page(of: $0, on: client, next: next) } }
            )
        }
    }

    /// The page of an endpoint, or one after it.
    fileprivate static func page(
        of endpoint: TypedEndpoint<NetworkResponse<Page>>,
        on client: some HTTPClientContract,
        by paging: Paging<Page>
    ) -> PageRequest {
        PageRequest { () throws(NetworkError) in
            Prepared(
                identity: endpoint.requested.hashValue,
                load: { () throws(NetworkError) in try await client.request(endpoint) },
                following: { page in
                    var next = endpoint
                    switch paging.change(page, endpoint.endpoint.item) {
                    case nil: return nil
                    case .items(let items): next.endpoint = endpoint.endpoint.setting(items)
                    case .link(let link): next.link = link
                    case .failure(let error): return PageRequest { () throws(NetworkError) in throw error }
                    }
                    return .page(of: next, on: client, by: paging)
                }
            )
        }
    }
}
