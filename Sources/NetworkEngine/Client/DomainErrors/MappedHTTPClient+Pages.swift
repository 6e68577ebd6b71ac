// Written by .ci/mapped-errors from HTTPClientContract+Pages.swift. Change that file.

extension MappedHTTPClient {
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
    ) -> MappedSequence<Pages<Page>, Failure> {
        mapper.mapping(client.pages(of: type, from: endpoint, by: paging))
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
    ) -> MappedSequence<Pages<Page>, Failure> {
        mapper.mapping(client.pages(of: type, from: endpoint, next: next))
    }
}
