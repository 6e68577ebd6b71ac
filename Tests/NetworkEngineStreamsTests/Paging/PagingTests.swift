import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineStreams
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct PagingTests {
    private struct Place: Sendable {
        var addresses: [String] = []
        var headers: [HTTPHeaders] = []
        var error: NetworkError?
    }

    /// Reads all pages and returns the addresses of their requests.
    private func requested(
        _ endpoint: Endpoint,
        by paging: Paging<[Int]>,
        answers: [MockAnswer],
        interceptors: [any RequestInterceptor] = [],
        _ change: (inout NetworkConfiguration) -> Void = { _ in }
    ) async -> Place {
        let mock = MockTransport()
        mock.on().answers(answers)
        var place = Place()
        do throws(NetworkError) {
            let client = HTTPClient(mock, interceptors, change)
            for try await _ in client.pages(of: [Int].self, from: endpoint, by: paging) {}
        } catch {
            place.error = error
        }
        place.addresses = mock.requests.map {
            $0.url.absoluteString.replacingOccurrences(of: "http://api.test/v1", with: "")
        }
        place.headers = mock.requests.map(\.headers)
        return place
    }

    /// A query token that differs for each request: `token-1`, `token-2` and so on.
    private static var changingToken: TokenSource {
        let count = Locked(0)
        return TokenSource(.query("key")) {
            count.withLock { count in
                count += 1
                return "token-\(count)"
            }
        }
    }

    private func page(_ numbers: String = "[1]", link: String? = nil) -> MockAnswer {
        .json(numbers, headers: link.map { ["Link": $0] } ?? [:])
    }

    @Test func `numbers start after that of the first page`() async {
        let answers = [page(), page(), page("[]")]
        let plain = await requested(.get("/u"), by: .number(), answers: answers)
        #expect(plain.addresses == ["/u", "/u?page=2", "/u?page=3"] && plain.error == nil)
        let given = await requested(.get("/u?p=4&q=a%2Bb"), by: .number("p"), answers: answers)
        #expect(given.addresses == ["/u?p=4&q=a%2Bb", "/u?q=a%2Bb&p=5", "/u?q=a%2Bb&p=6"])
        let zero = await requested(.get("/u"), by: .number("p", startingAt: 0) { $0 != [] }, answers: answers)
        #expect(zero.addresses == ["/u", "/u?p=1", "/u?p=2"])
    }

    @Test func `offsets grow by the number of elements`() async {
        let answers = [page("[1, 2]"), page("[3]"), page("[]")]
        let plain = await requested(.get("/u"), by: .offset(), answers: answers)
        #expect(plain.addresses == ["/u", "/u?offset=2", "/u?offset=3"])
        let items = [URLQueryItem(name: "skip", value: "10"), URLQueryItem(name: "q", value: "x")]
        let given = await requested(Endpoint(path: "/u", queryItems: items), by: .offset("skip"), answers: answers)
        #expect(given.addresses == ["/u?skip=10&q=x", "/u?q=x&skip=12", "/u?q=x&skip=13"])
    }

    @Test func `numbers and offsets replace the parameters of an endpoint, which keep their names on the wire`() async {
        let endpoint = Endpoint.get("/u", query: ["pageNumber": 4, "tags": ["a", "b"]])
        let place = await requested(endpoint, by: .number("pageNumber"), answers: [page(), page("[]")]) {
            ($0.queryEncoder.keys, $0.queryEncoder.arrays) = (.snakeCase, .noBrackets)
        }
        #expect(place.addresses == ["/u?page_number=4&tags=a&tags=b", "/u?tags=a&tags=b&page_number=5"])
    }

    @Test func `an offset beyond the integers ends the pages`() async {
        let items = [URLQueryItem(name: "offset", value: "\(Int.max)")]
        let place = await requested(Endpoint(path: "/u", queryItems: items), by: .offset(), answers: [page()])
        #expect(place.addresses.count == 1 && place.error == nil)
    }

    @Test func `an empty cursor is none, and a cursor is escaped`() async {
        let cursors = Paging<[Int]>.cursor("after") { ["", "a&b=c +/"][$0.first ?? 0] }
        let place = await requested(.get("/u"), by: cursors, answers: [page("[1]"), page("[0]")])
        #expect(place.addresses == ["/u", "/u?after=a%26b%3Dc%20%2B%2F"] && place.error == nil)
    }

    @Test func `a link replaces the whole address and keeps the rest of the request`() async {
        let endpoint = Endpoint.get("/u?page=1", headers: ["X-App": "a", "Authorization": "mine"])
        let answers = [page(link: #"<?page=2&x=1>; rel="next last""#), page(link: "<https://b.test>; rel=prev")]
        let place = await requested(endpoint, by: .link, answers: answers)
        #expect(place.addresses == ["/u?page=1", "/u?page=2&x=1"] && place.error == nil)
        #expect(place.headers.allSatisfy { $0["X-App"] == "a" && $0["Authorization"] == "mine" })
    }

    @Test func `a link of another resource, or without an address, names no page`() async {
        let other = await requested(.get("/u"), by: .link, answers: [page(link: #"<b>; anchor="/x"; rel=next"#)])
        #expect(other.addresses.count == 1 && other.error == nil)
        let broken = await requested(.get("/u"), by: .link, answers: [page(link: "<http://[x>; rel=next")])
        #expect(broken.addresses.count == 1 && broken.error?.kind == .invalidResponse)
    }

    @Test func `links in a circle are an error`() async {
        let same = await requested(.get("/u"), by: .link, answers: [page(link: "</v1/u>; rel=next").repeating()])
        #expect(same.error?.kind == .invalidResponse && same.addresses == ["/u"])
        let fragments = [page(link: "</v1/u?b#1>; rel=next"), page(link: "</v1/u?b#2>; rel=next").repeating()]
        let fragment = await requested(.get("/u"), by: .link, answers: fragments)
        #expect(fragment.error?.kind == .invalidResponse && fragment.addresses == ["/u", "/u?b#1"])
        let next = page(link: "</v1/u?b>; rel=next")
        let circle = await requested(.get("/u"), by: .link, answers: [next, page(link: "</v1/u?c>; rel=next"), next])
        #expect(circle.error?.kind == .invalidResponse && circle.addresses == ["/u", "/u?b", "/u?c"])
    }

    @Test func `a server that repeats a cursor is found out, whatever makes the rest of the request`() async {
        var endpoint = Endpoint.post("/u").multipart([MultipartFormData(provider: .data(Data("x".utf8)), name: "a")])
        endpoint.building = { $0.headers["X-Trace"] = "1" }
        let paging = Paging<[Int]>.cursor("after") { _ in "same" }
        let place = await requested(endpoint, by: paging, answers: [page().repeating()])
        #expect(place.error?.kind == .invalidResponse && place.addresses == ["/u", "/u?after=same"])
    }

    @Test func `another origin gets no secrets and no unknown headers`() async {
        let endpoint = Endpoint.get("/u", headers: ["X-App": "a", "Authorization": "mine", "Accept": "a/b"])
        let answers = [
            page(link: "<http://b.test/u>; rel=next"), page(link: "<http://api.test/v1/z>; rel=next"), page(),
        ]
        let token = TokenSource(.header("X-Token")) { "t" }
        let place = await requested(endpoint, by: .link, answers: answers, interceptors: [token])
        #expect(place.addresses == ["/u", "http://b.test/u", "/z"])
        #expect(place.headers[1] == ["Accept": "a/b"])
        #expect(place.headers[2]["Authorization"] == "mine" && place.headers[2]["X-Token"] == "t")
        let trusted = await requested(endpoint, by: .link, answers: answers) {
            $0.trustedOrigins = [URL(fileURLWithPath: "/"), URL(string: "http://b.test")].compactMap(\.self)
        }
        #expect(trusted.headers.allSatisfy { $0["Authorization"] == "mine" && $0["X-App"] == "a" })
    }

    @Test func `another origin gets no secrets that the endpoint adds to the request itself`() async {
        var endpoint = Endpoint.get("/u")
        endpoint.building = { request in
            request.headers["X-Api-Key"] = "k"
            request.headers["Accept-Language"] = "de"
        }
        let answers = [
            page(link: "<http://b.test/u>; rel=next"), page(link: "<http://api.test/v1/z>; rel=next"), page(),
        ]
        let place = await requested(endpoint, by: .link, answers: answers)
        #expect(place.addresses == ["/u", "http://b.test/u", "/z"] && place.error == nil)
        #expect(place.headers.map { $0["X-Api-Key"] } == ["k", nil, "k"])
        #expect(place.headers.allSatisfy { $0["Accept-Language"] == "de" })
        let trusted = await requested(endpoint, by: .link, answers: answers) {
            $0.trustedOrigins = [URL(string: "http://b.test")].compactMap(\.self)
        }
        #expect(trusted.headers.map { $0["X-Api-Key"] } == ["k", "k", "k"])
    }

    @Test func `another origin gets no body that the endpoint adds to the request itself`() async {
        var endpoint = Endpoint.post("/u")
        endpoint.building = { $0.body = .data(Data("x".utf8)) }
        let place = await requested(endpoint, by: .link, answers: [page(link: "<http://b.test/u>; rel=next"), page()])
        #expect(place.error?.kind == .invalidRequest && place.addresses.count == 1)
    }

    @Test func `a link to another origin gets no fields that only redirects may send there`() async {
        let answers = [page(link: "<http://b.test/u>; rel=next"), page()]
        let place = await requested(.get("/u", headers: ["X-App": "a"]), by: .link, answers: answers) {
            $0.redirects.headersToOtherOrigins = ["X-App"]
        }
        #expect(place.headers.map { $0["X-App"] } == ["a", nil])
    }

    @Test func `a token in the query does not travel in a link to another origin`() async {
        let answers = [page(link: "<http://b.test/u?page=2&key=t0p>; rel=next"), page()]
        let token = TokenSource(.query("key")) { "t0p" }
        let place = await requested(.get("/u"), by: .link, answers: answers, interceptors: [token])
        #expect(place.addresses == ["/u?key=t0p", "http://b.test/u?page=2"])
    }

    @Test func `a link that repeats the token of its page gets the current token`() async {
        let token = Self.changingToken
        let link = "</v1/u?page=2&key=token-1&n=1>; rel=next"
        let place = await requested(.get("/u"), by: .link, answers: [page(link: link), page()], interceptors: [token])
        #expect(place.addresses == ["/u?key=token-1", "/u?page=2&n=1&key=token-2"])
    }

    @Test func `a link keeps the query items that no interceptor adds`() async {
        let link = "</v1/u?page=2&X-Amz-Signature=0123456789abcdef&token=of-the-server&v=2&after=>; rel=next"
        let version = TokenSource(.query("v")) { "2" }
        let answers = [page(link: link), page()]
        let place = await requested(.get("/u"), by: .link, answers: answers, interceptors: [version])
        let next = "/u?page=2&X-Amz-Signature=0123456789abcdef&token=of-the-server&after=&v=2"
        #expect(place.addresses == ["/u?v=2", next])
        let own = await requested(.get("/u?v=2"), by: .link, answers: answers, interceptors: [version])
        #expect(own.addresses.last == "/u?page=2&X-Amz-Signature=0123456789abcdef&token=of-the-server&v=2&after=")
    }

    @Test func `links in a circle are an error although each request has another token`() async {
        let token = Self.changingToken
        let answers = (1...9).map { page(link: "</v1/u?key=token-\($0)>; rel=next") }
        let place = await requested(.get("/u"), by: .link, answers: answers, interceptors: [token])
        #expect(place.error?.kind == .invalidResponse && place.addresses == ["/u?key=token-1"])
    }

    @Test func `a link to another origin does not get the body, and not if absolute paths are not allowed`() async {
        let answers = [page(link: "<http://b.test/u>; rel=next"), page()]
        let body = await requested(.post("/u").body(Data("x".utf8)), by: .link, answers: answers)
        #expect(body.error?.kind == .invalidRequest && body.addresses.count == 1)
        let closed = await requested(.get("/u"), by: .link, answers: answers) { $0.allowsAbsolutePaths = false }
        #expect(closed.error?.kind == .invalidRequest && closed.addresses.count == 1)
        let own = [page(link: "<http://api.test/v1/z>; rel=next"), page()]
        let same = await requested(.get("/u"), by: .link, answers: own) { $0.allowsAbsolutePaths = false }
        #expect(same.error == nil && same.addresses == ["/u", "/z"])
    }

    @Test(arguments: ["ftp://api.test/u", "http://a:b@api.test/u", "file:///etc/passwd"])
    func `a link that is not an address without credentials is refused`(address: String) async {
        let place = await requested(.get("/u"), by: .link, answers: [page(link: "<\(address)>; rel=next"), page()])
        #expect(place.error?.kind == .invalidRequest && place.addresses.count == 1)
    }

    @Test func `a link from https to http is refused`() async throws {
        let mock = MockTransport(.json("[1]", headers: ["Link": "<http://api.test/u>; rel=next"]).repeating())
        let client = HTTPClient(mock, base: try #require(URL(string: "https://api.test")))
        var pages = client.pages(of: [Int].self, from: .get("/u"), by: .link).makeAsyncIterator()
        _ = try await pages.next()
        let error = await #expect(throws: NetworkError.self) { try await pages.next() }
        #expect(error?.kind == .invalidRequest && mock.requests.count == 1)
    }
}
