// Written by .ci/mapped-errors from NetworkProvider+Pages.swift. Change that file.

extension MappedProvider {
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
    ) -> MappedSequence<Pages<Page>, Failure> {
        mapper.mapping(provider.pages(of: type, from: target, by: paging))
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
    ) -> MappedSequence<Pages<Page>, Failure> {
        mapper.mapping(provider.pages(of: type, from: target, next: next))
    }
}
