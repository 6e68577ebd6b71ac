import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineStreams
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct PagesTests {
    private struct UserPage: Codable, Equatable, Sendable {
        var users: [Int]
        var next: String?
    }

    /// Answers `?after=n` with a page that links to `n + 1`, up to a last page.
    private func server(last: Int) -> MockTransport {
        MockTransport(
            .handler { request in
                let components = URLComponents(url: request.url, resolvingAgainstBaseURL: false)
                let after = components?.queryItems?.first { $0.name == "after" }?.value.flatMap(Int.init) ?? 0
                return .json(UserPage(users: [after], next: after < last ? "\(after + 1)" : nil))
            }.repeating())
    }

    private func pages(_ mock: MockTransport) -> Pages<UserPage> {
        HTTPClient(mock).pages(of: UserPage.self, from: .get("/users"), by: .cursor("after", \.next))
    }

    private func all<Page>(_ pages: Pages<Page>) async throws(NetworkError) -> [Page] {
        var all: [Page] = []
        for try await page in pages { all.append(page) }
        return all
    }

    @Test func `pages are requested only when they are awaited`() async throws {
        let mock = server(last: 9)
        var iterator = pages(mock).makeAsyncIterator()
        #expect(mock.requests.isEmpty)
        #expect(try await iterator.next()?.users == [0] && mock.requests.count == 1)
        #expect(try await iterator.next()?.users == [1] && mock.requests.count == 2)
    }

    @Test func `the sequence ends after the last page`() async throws {
        let mock = server(last: 3)
        #expect(try await all(pages(mock)).flatMap(\.users) == [0, 1, 2, 3])
        var iterator = pages(server(last: 0)).makeAsyncIterator()
        _ = try await iterator.next()
        for _ in 1...2 { #expect(try await iterator.next() == nil) }
        #expect(iterator.response?.statusCode == 200 && iterator.response?.data == Data())
    }

    @Test func `breaking out of the loop ends the requests`() async throws {
        let mock = server(last: 9)
        for try await page in pages(mock) where page.users == [2] { break }
        #expect(mock.requests.count == 3)
        let first = try await pages(mock).prefix(2).reduce(into: []) { $0 += $1.users }
        #expect(first == [0, 1] && mock.requests.count == 5)
    }

    @Test func `more pages than the limit are an error, and not requested`() async throws {
        let mock = server(last: 9)
        var pages = pages(mock)
        pages.limit = 3
        var iterator = pages.makeAsyncIterator()
        for _ in 1...3 { _ = try await iterator.next() }
        let error = await #expect(throws: NetworkError.self) { try await iterator.next() }
        #expect(error?.kind == .limit && mock.requests.count == 3)
        let exact = server(last: 2)
        pages = self.pages(exact)
        pages.limit = 3
        #expect(try await all(pages).count == 3)
        #expect(self.pages(exact).limit == 1_000)
    }

    @Test func `a page that is named again is an error`() async throws {
        let mock = MockTransport(.json(UserPage(users: [1], next: "7")).repeating())
        let pages = pages(mock)
        let error = await #expect(throws: NetworkError.self) { try await all(pages) }
        #expect(error?.kind == .invalidResponse && error?.response != nil && mock.requests.count == 2)
    }

    @Test func `after an error the same page can be requested again`() async throws {
        let mock = MockTransport(
            .json(UserPage(users: [0], next: "1")), .failure(.dns), .json(UserPage(users: [1])))
        var iterator = pages(mock).makeAsyncIterator()
        _ = try await iterator.next()
        await #expect(throws: NetworkError.self) { try await iterator.next() }
        #expect(try await iterator.next()?.users == [1])
        #expect(mock.requests.map(\.url.query) == [nil, "after=1", "after=1"])
    }

    @Test func `a canceled task gets a cancellation`() async throws {
        let pages = pages(MockTransport(.hang))
        let task = Task { () async -> NetworkErrorKind? in
            do throws(NetworkError) { _ = try await all(pages) } catch { return error.kind }
            return nil
        }
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    @Test func `the next endpoint can be any`() async throws {
        let mock = server(last: 2)
        let pages = HTTPClient(mock).pages(of: UserPage.self, from: .get("/users")) { page in
            page.value.next.map { .post("/users?after=\($0)", headers: ["X-Status": "\(page.statusCode)"]) }
        }
        #expect(try await all(pages).count == 3)
        #expect(mock.requests.map(\.method) == [.get, .post, .post])
        #expect(mock.requests.last?.headers["X-Status"] == "200")
    }

    @Test func `a provider pages through targets`() async throws {
        let mock = server(last: 2)
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        let provider = NetworkProvider<API>(configuration: configuration)
        let chosen = provider.pages(of: UserPage.self, from: .plain) { page in
            page.value.next.map { .at("/things?after=\($0)") }
        }
        #expect(try await all(chosen).count == 3)
        let same = provider.pages(of: UserPage.self, from: .post, by: .cursor("after", \.next))
        #expect(try await all(same).count == 3)
        #expect(mock.requests.suffix(3).map(\.url.query) == [nil, "after=1", "after=2"])
        #expect(mock.requests.suffix(3).allSatisfy { $0.method == .post && $0.body.data == Data("body".utf8) })
    }

    @Test func `a provider follows links, and another origin gets no secrets of the target`() async throws {
        let links = ["?page=2", "http://b.test/x", "http://api.test/v1/things?page=3", "?page=2"]
        let mock = MockTransport()
        mock.on().answers(links.map { .json("[1]", headers: ["Link": "<\($0)>; rel=next"]) })
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        let provider = NetworkProvider<AnyTarget>(interceptor: TokenSource { "t" }, configuration: configuration)
        var target = AnyTarget(API.plain)
        target.headers = ["X-Api-Key": "k", "X-App": "1", "Accept": "a/b"]
        let pages = provider.pages(of: [Int].self, from: target, by: .link)
        let error = await #expect(throws: NetworkError.self) { try await all(pages) }
        #expect(error?.kind == .invalidResponse)
        #expect(
            mock.requests.map(\.url.absoluteString) == [
                "http://api.test/v1/things", "http://api.test/v1/things?page=2", "http://b.test/x",
                "http://api.test/v1/things?page=3",
            ])
        #expect(mock.requests.map { $0.headers["X-Api-Key"] } == ["k", "k", nil, "k"])
        #expect(mock.requests.map { $0.headers["Authorization"] != nil } == [true, true, false, true])
        #expect(mock.requests.dropFirst(2).first?.headers == ["Accept": "a/b"])
    }

    @Test func `a page at another origin gets the harmless common headers only`() async throws {
        let mock = MockTransport(.json("[1]", headers: ["Link": "<https://b.test/x>; rel=next"]), .json("[2]"))
        let client = HTTPClient(mock) { $0.headers = ["X-Customer": "acme", "Accept-Language": "de"] }
        let numbers = try await all(client.pages(of: [Int].self, from: .get("/users"), by: .link))
        #expect(numbers == [[1], [2]])
        #expect(
            mock.requests.map(\.headers) == [
                ["X-Customer": "acme", "Accept-Language": "de"], ["Accept-Language": "de"],
            ])
    }

    @Test func `pages that differ in a header are different pages`() async throws {
        let mock = MockTransport(.json("[1]"), .json("[2]"), .json("[3]"))
        let provider = NetworkProvider<TestTarget>(mock)
        let pages = provider.pages(of: [Int].self, from: TestTarget()) { page in
            page.value == [3] ? nil : TestTarget(headers: ["X-After": "\(page.value)"])
        }
        #expect(try await all(pages) == [[1], [2], [3]])
    }

    /// A position in a list that is sent in the body, as search services require.
    private struct Search: Codable, Sendable {
        var about = filter
        var after: Decimal
    }

    /// More bytes than the hash of `Data` considers.
    private static let filter = String(repeating: "f", count: 200)

    enum Carrier: CaseIterable { case json, jsonByEncoder, form, data, body, building }

    private static func search(after: Decimal, in carrier: Carrier) -> Endpoint {
        switch carrier {
        case .json: return .post("/search").json(Search(after: after))
        case .jsonByEncoder: return .post("/search").json(Search(after: after), encoder: JSONEncoder())
        case .form: return .post("/search").form(["about": filter, "after": "\(after)"])
        case .data: return .post("/search").body(.data(Data("\(filter)\(after)".utf8)))
        case .building:
            var endpoint = Endpoint.post("/search")
            endpoint.building = { $0.body = .data(Data("\(filter)\(after)".utf8)) }
            return endpoint
        case .body: return .post("/search").body(Data("\(filter)\(after)".utf8))
        }
    }

    @Test(arguments: Carrier.allCases)
    func `pages whose place is in the body are different pages, however close the places are`(
        carrier: Carrier
    ) async throws {
        let mock = MockTransport(.json("[1]").repeating())
        let start = Decimal(1 << 60)
        var places = (1...3).map { start + Decimal($0) }
        let next = Locked(places)
        let pages = HTTPClient(mock).pages(of: [Int].self, from: Self.search(after: start, in: carrier)) { _ in
            next.withLock { $0.isEmpty ? nil : Self.search(after: $0.removeFirst(), in: carrier) }
        }
        places.insert(start, at: 0)
        #expect(try await all(pages).count == 4)
        let bodies = mock.requests.map { String(decoding: $0.body.data ?? Data(), as: UTF8.self) }
        #expect(zip(bodies, places).allSatisfy { $0.contains("\($1)") } && bodies.count == 4)
    }

    @Test(arguments: Carrier.allCases)
    func `a page with the same body is named again`(carrier: Carrier) async throws {
        let mock = MockTransport(.json("[1]").repeating())
        let pages = HTTPClient(mock).pages(of: [Int].self, from: Self.search(after: 1, in: carrier)) { _ in
            Self.search(after: 1, in: carrier)
        }
        let error = await #expect(throws: NetworkError.self) { try await all(pages) }
        #expect(error?.kind == .invalidResponse && mock.requests.count == 1)
    }

    @Test func `the base is asked once for each page`() async throws {
        let asked = Locked(0)
        let mock = MockTransport(.json("[1]", headers: ["Link": "<?page=2>; rel=next"]), .json("[2]"))
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        configuration.baseURL = { target in
            asked.withLock { $0 += 1 }
            return target.baseURL
        }
        let provider = NetworkProvider<TestTarget>(configuration: configuration)
        #expect(try await all(provider.pages(of: [Int].self, from: TestTarget(), by: .link)) == [[1], [2]])
        #expect(asked.withLock { $0 } == 2)
    }

    @Test func `a page keeps the secrets that its address repeats, and no others`() async throws {
        let mock = MockTransport(
            .json("[1]", headers: ["Link": "<?page=2>; rel=next"]),
            .json("[2]", headers: ["Link": "<?page=3&k=of-secret-2>; rel=next"]), .json("[3]"))
        let count = Locked(0)
        let source = TokenSource {
            "secret-"
                + String(
                    count.withLock { count in
                        count += 1
                        return count
                    })
        }
        let client = HTTPClient(mock, [source])
        #expect(try await all(client.pages(of: [Int].self, from: .get("/users"), by: .link)) == [[1], [2], [3]])
        #expect(mock.requests.map { $0.secrets?.values.count ?? 0 } == [1, 1, 2])
        #expect(mock.requests.last?.url.query == "page=3&k=of-secret-2")
    }

    @Test func `a mock client answers pages with values`() async throws {
        let mock = HTTPClientMock(.value(UserPage(users: [1], next: "2")), .response(.json(UserPage(users: [2]))))
        let client: any HTTPClientContract = mock
        let pages = client.pages(of: UserPage.self, from: .get("/users"), by: .cursor("after", \.next))
        #expect(try await all(pages).flatMap(\.users) == [1, 2])
        let second = Endpoint(path: "/users", queryItems: [URLQueryItem(name: "after", value: "2")])
        #expect(mock.endpoints == [.get("/users"), second])
    }
}
