import Foundation
import NetworkEngine
import NetworkEngineStreams
import NetworkEngineTesting
import TestSupport
import Testing

/// The samples of “Paging through lists”.
@Suite(.timeLimit(.minutes(5))) struct PagingThroughListsTests {
    private func first(_ next: String?, _ notes: String...) -> MockAnswer { .json(NotePage(notes: notes, next: next)) }

    @Test func `links are followed`() async throws {
        let mock = MockTransport(
            .json(#"[{"id": 7, "name": "Ada"}]"#, headers: ["Link": "</users?page=2>; rel=\"next\""]), users)
        let client = makeClient(mock)
        var shown: [User] = []
        func show(_ users: [User]) { shown += users }
        // sample
        for try await users in client.pages(of: [User].self, from: .get("/users"), by: .link) { show(users) }
        // end
        #expect(shown.count == 2 && mock.requests.map(\.url.query) == [nil, "page=2"])
    }

    // sample
    nonisolated struct NotePage: Codable, Sendable {
        var notes: [String]
        var next: String?
    }
    // end

    @Test func `each kind of paging changes one item of the query`() async throws {
        let mock = MockTransport(
            users, .json("[]"), users, .json("[]"), first("b", "tea"), first(nil), first("b", "tea"), first(nil))
        let client = makeClient(mock)
        // sample
        let numbered = client.pages(of: [User].self, from: .get("/users"), by: .number("page"))
        let skipping = client.pages(of: [User].self, from: .get("/users"), by: .offset("skip"))
        let following = client.pages(of: NotePage.self, from: .get("/notes"), by: .cursor("after", \.next))
        let counted = client.pages(
            of: NotePage.self, from: .get("/notes"), by: .number("page", while: { !$0.notes.isEmpty }))
        // end
        for try await _ in numbered {}
        for try await _ in skipping {}
        for try await _ in following {}
        for try await _ in counted {}
        let queries = mock.requests.map(\.url.query)
        #expect(queries == [nil, "page=2", nil, "skip=1", nil, "after=b", nil, "page=2"])
    }

    // sample
    enum NotesAPI: TargetType {
        case list(folder: String, after: String? = nil)

        var baseURL: URL { api }
        var path: String { "/notes" }
        var task: NetworkTask {
            switch self {
            case .list(let folder, let after):
                .requestParameters(parameters: ["folder": folder, "after": after], encoding: .query)
            }
        }
    }
    // end

    @Test func `a provider pages through a target`() async throws {
        let mock = MockTransport(first("b", "tea"), first(nil, "milk"), first("b", "tea"), first(nil, "milk"))
        let provider: NetworkProvider<NotesAPI> = makeProvider(mock)
        var shown: [String] = []
        func show(_ notes: [String]) { shown += notes }
        // sample
        let pages = provider.pages(of: NotePage.self, from: .list(folder: "home"), by: .cursor("after", \.next))
        for try await page in pages { show(page.notes) }
        // end
        #expect(shown == ["tea", "milk"])
        // sample
        let same = provider.pages(of: NotePage.self, from: .list(folder: "home")) { page in
            page.value.next.map { .list(folder: "home", after: $0) }
        }
        // end
        for try await page in same { show(page.notes) }
        #expect(shown == ["tea", "milk", "tea", "milk"])
        let second = ["after", "folder"].map { name in
            mock.requests[1].url.query?.contains("\(name)=") == true
        }
        #expect(second == [true, true] && mock.requests.map(\.url.path) == Array(repeating: "/notes", count: 4))
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @MainActor @Test func `a model asks for the next page`() async throws {
        let mock = MockTransport(first("b", "tea"), .status(503), first(nil, "milk"))
        let client = makeClient(mock)
        // sample
        let pager = Pager(
            client.pages(of: NotePage.self, from: .get("/notes"), by: .cursor("after", \.next)), items: \.notes)
        await pager.loadMore()  // when the end of the list comes into view
        // end
        await pager.loadMore()
        guard case .failed(let error) = pager.state else { throw CancellationError() }
        #expect(error.statusCode == 503)
        await pager.loadMore()
        await pager.loadMore()
        guard case .finished = pager.state else { throw CancellationError() }
        #expect(pager.items == ["tea", "milk"])
    }

    // sample
    struct NoteService: Sendable {
        let notes: any NetworkCalling<NotesAPI, APIError>

        func pages(in folder: String) -> MappedSequence<Pages<NotePage>, APIError> {
            notes.pages(of: NotePage.self, from: .list(folder: folder), by: .cursor("after", \.next))
        }
    }
    // end

    @Test func `pages throw the errors of an app`() async throws {
        let provider: NetworkProvider<NotesAPI> = makeProvider(MockTransport(.status(404)))
        let service = NoteService(notes: provider.mapErrors(with: APIErrorMapper()))
        var shown: [String] = []
        func show(_ notes: [String]) { shown += notes }
        func showMissing() { shown.append("missing") }
        // sample
        do {
            for try await page in service.pages(in: "home") { show(page.notes) }
        } catch .notFound {
            showMissing()
        }
        // end
        #expect(shown == ["missing"])
    }

    @Test func `a limit ends endless pages`() async throws {
        let mock = MockTransport(
            .handler { request in
                .json(NotePage(notes: ["tea"], next: "\(request.url.query?.count ?? 0)"))
            }.repeating())
        let client = makeClient(mock)
        var count = 0
        func show(_ page: NotePage) { count += 1 }
        // sample
        var pages = client.pages(of: NotePage.self, from: .get("/notes"), by: .cursor("after", \.next))
        pages.limit = 50  // an error of the kind .limit if there are more
        for try await page in pages.prefix(2) { show(page) }  // the first two, without an error
        // end
        #expect(count == 2 && mock.requests.count == 2)
    }

    // sample
    @Test func `a list is read to its last page`() async throws {
        let server = MockTransport()
        server.on(.get, "/notes", query: ["after": "b"]).answers(.json(#"{"notes": ["milk"]}"#))
        server.on(.get, "/notes").answers(.json(#"{"notes": ["tea"], "next": "b"}"#))
        var configuration = NetworkConfiguration()
        configuration.transport = server
        let client = HTTPClient(baseURL: api, configuration: configuration)

        var notes: [String] = []
        for try await page in client.pages(of: NotePage.self, from: .get("/notes"), by: .cursor("after", \.next)) {
            notes += page.notes
        }
        #expect(notes == ["tea", "milk"])
        try server.checkAllUsed()  // each page was requested once
    }
    // end
}
