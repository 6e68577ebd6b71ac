import Foundation
public import NetworkEngine

extension NetworkCalling where Failure == NetworkError {
    /// Returns the pages of a list, starting with a target or endpoint. The paging determines the next page.
    ///
    /// ```swift
    /// for try await users in client.pages(of: [User].self, from: .get("/users"), by: .link) { show(users) }
    /// for try await users in provider.pages(of: [User].self, from: .users, by: .number("page")) { show(users) }
    /// ```
    /// The first page is requested when it is awaited. Everything else in the request is the same for every page.
    public func pages<Page: Decodable & Sendable>(
        of type: Page.Type,
        from request: Request,
        by paging: Paging<Page>
    ) -> Pages<Page> {
        Pages(from: .page(of: PageSource(request), on: self, by: paging))
    }

    /// Returns the pages of a list, starting with a target or endpoint.
    ///
    /// The first page is requested when it is awaited.
    ///
    /// - Parameter next: returns the request for the page after a response; `nil` after the last page. If its path is
    ///   an absolute URL with an untrusted origin, it is sent without secret headers.
    public func pages<Page: Decodable & Sendable>(
        of type: Page.Type,
        from request: Request,
        next: @escaping @Sendable (NetworkResponse<Page>) -> Request?
    ) -> Pages<Page> {
        Pages(from: .page(of: request, on: self, next: next))
    }
}

extension NetworkCalling {
    /// Returns the pages of a list, starting with a target or endpoint, with the calls' error type.
    public func pages<Page: Decodable & Sendable>(
        of type: Page.Type,
        from request: Request,
        by paging: Paging<Page>
    ) -> MappedSequence<Pages<Page>, Failure> {
        MappedSequence(Pages(from: .page(of: PageSource(request), on: self, by: paging))) { mappedAny($0) }
    }

    /// Returns the pages of a list, starting with a target or endpoint, with the calls' error type.
    ///
    /// - Parameter next: returns the request for the page after a response; `nil` after the last page.
    public func pages<Page: Decodable & Sendable>(
        of type: Page.Type,
        from request: Request,
        next: @escaping @Sendable (NetworkResponse<Page>) -> Request?
    ) -> MappedSequence<Pages<Page>, Failure> {
        MappedSequence(Pages(from: .page(of: request, on: self, next: next))) { mappedAny($0) }
    }
}

/// The request for a page: the first one, or one with a changed URL.
private struct PageSource<Request: Sendable>: Sendable {
    let request: Request
    /// Whether all pages differ only in their URLs.
    let isByAddress: Bool
    private var items: [URLQueryItem] = []
    private var link: ServerLink?

    init(_ request: Request, isByAddress: Bool = true) {
        self.request = request
        self.isByAddress = isByAddress
    }

    /// The hashes that identify the page; `nil` if only its request does.
    func identities(of endpoint: Endpoint) -> [Int]? {
        isByAddress ? endpoint.identitiesByAddress : endpoint.hashOfRequest.map { [$0] }
    }

    /// Returns the page at another URL. An endpoint contains it, so that a mock can see it, too.
    func at(_ change: Change) -> PageSource {
        guard var endpoint = request as? Endpoint else {
            var source = self
            switch change {
            case .items(let items): source.items = items
            case .link(let link): source.link = link
            }
            return source
        }
        switch change {
        case .items(let items): endpoint = endpoint.setting(items)
        case .link(let link): endpoint.link = link
        }
        return (endpoint as? Request).map { PageSource($0) } ?? self
    }

    enum Change {
        case items([URLQueryItem])
        case link(ServerLink)
    }

    /// Changes the URL of a request.
    func change(_ request: inout HTTPRequest, by rules: RequestRules) throws(NetworkError) {
        if let link {
            request = try request.following(link, by: rules)
        } else if !items.isEmpty {
            request = request.setting(items)
        }
    }
}

extension PageRequest where Page: Decodable {
    /// The page for a request.
    fileprivate static func page<Calls: NetworkCalling>(
        of request: Calls.Request,
        on calls: Calls,
        next: @escaping @Sendable (NetworkResponse<Page>) -> Calls.Request?
    ) -> PageRequest {
        PageRequest { session, check throws(NetworkError) in
            let source = PageSource(request, isByAddress: false)
            let (page, sent) = try await source.load(Page.self, on: calls, session, check)
            return Answer(
                page: page,
                identities: sent.identities,
                following: next(page).map { .page(of: $0, on: calls, next: next) }
            )
        }
    }

    /// The page for a request, or one after it.
    fileprivate static func page<Calls: NetworkCalling>(
        of source: PageSource<Calls.Request>,
        on calls: Calls,
        by paging: Paging<Page>
    ) -> PageRequest {
        PageRequest { session, check throws(NetworkError) in
            let (page, sent) = try await source.load(Page.self, on: calls, session, check)
            let following: PageRequest? =
                switch paging.change(page, sent.item) {
                case nil: nil
                case .items(let items): .page(of: source.at(.items(items)), on: calls, by: paging)
                case .link(let link): .page(of: source.at(.link(link)), on: calls, by: paging)
                case .failure(let error): PageRequest(failing: error)
                }
            return Answer(page: page, identities: sent.identities, following: following)
        }
    }
}

/// The request for a page, after it was sent.
private struct SentPage: Sendable {
    let identities: [Int]
    let item: @Sendable (String) -> String?
}

extension PageSource {
    fileprivate func load<Page: Decodable & Sendable, Calls: NetworkCalling>(
        _ type: Page.Type,
        on calls: Calls,
        _ session: CallSession,
        _ check: @escaping PageRequest<Page>.Check
    ) async throws(NetworkError) -> (NetworkResponse<Page>, SentPage) where Calls.Request == Request {
        var settings = CallSettings()
        settings.session = session
        if let endpoint = request as? Endpoint, let identities = identities(of: endpoint) {
            for identity in identities { try check(identity) }
            let page: NetworkResponse<Page> = try await calls.runUnmapped(request, .withResponse(), settings: settings)
            // A server specifies a page by its URL, which is not part of an endpoint.
            let address = ServerLink(page.response.request.url, to: "the page", in: page.response).url
            let sent = Endpoint.identity(of: address)
            return (page, SentPage(identities: identities + [sent], item: { endpoint.item($0) }))
        }
        // Everything else about the page is known once its request is.
        let sent = Locked<HTTPRequest?>(nil)
        settings.change = { [self] request, rules throws(NetworkError) in
            try change(&request, by: rules)
            if let identity = request.hashOfPage { try check(identity) }
            let changed = request
            sent.withLock { $0 = changed }
        }
        let page: NetworkResponse<Page> = try await calls.runUnmapped(request, .withResponse(), settings: settings)
        let request = sent.withLock { $0 }
        let identities = [request?.hashOfPage].compactMap(\.self)
        return (page, SentPage(identities: identities, item: { request?.item($0) }))
    }
}
