import Dispatch
import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct HTTPClientTests {
    private struct User: Codable, Equatable, Sendable { var id: Int }
    private struct Comment: Decodable, Equatable, Sendable { var text: String }
    private typealias CommentRequest = TypedEndpoint<[Comment]>
    private struct Retry: RequestInterceptor {
        func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision { .retry }
    }

    @Test(arguments: ClientStyle.allCases)
    func `every calling style returns the value`(style: ClientStyle) async throws {
        let client = HTTPClient(MockTransport(.json(#"{"id": 7}"#).repeating()))
        #expect(try await style.outcome(of: .get("/users/7"), on: client, as: User.self).get() == User(id: 7))
        #expect(try await style.outcome(of: .get("/x"), on: client, as: Data.self).get() == Data(#"{"id": 7}"#.utf8))
    }

    @Test func `Data is the bytes of the body, JSON or not`() async throws {
        let client: any HTTPClientContract = HTTPClient(MockTransport(.status(200, body: "not JSON").repeating()))
        let raw: Data = try await client.request(.get("/x"))
        #expect(raw == Data("not JSON".utf8))
    }

    @Test
    func `a callback arrives on its queue after the call has returned, also for an invalid request`()
        async
    {
        let client = HTTPClient(MockTransport())
        let queue = DispatchQueue(label: "asked for")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let kind: NetworkError.Kind? = await withCheckedContinuation { waiter in
            queue.async {
                let hasReturned = Locked(false)
                client.request(Endpoint(path: "/", method: "GE T"), as: User.self, queue: queue) { result in
                    let isInOrder = hasReturned.withLock { $0 } && DispatchQueue.getSpecific(key: key) == true
                    waiter.resume(returning: isInOrder ? result.error?.kind : nil)
                }
                hasReturned.withLock { $0 = true }
            }
        }
        #expect(kind == .invalidRequest)
    }

    @Test @MainActor func `a callback without a queue arrives on the main actor after the call has returned`() async {
        var hasReturned = false
        let client = HTTPClient(MockTransport(.json("[]")))
        await withCheckedContinuation { waiter in
            client.request(Endpoint.get("/"), as: [User].self) { result in
                MainActor.assertIsolated()
                #expect(hasReturned && (try? result.get()) == [])
                waiter.resume()
            }
            hasReturned = true
        }
    }

    @Test @MainActor func `a canceled callback delivers no success`() async {
        let client = HTTPClient(MockTransport(.json("[]")))
        let error: NetworkError? = await withCheckedContinuation { waiter in
            let request = client.request(Endpoint.get("/"), as: [User].self) { waiter.resume(returning: $0.error) }
            request.cancel()
        }
        #expect(error?.kind == .cancelled)
    }

    @Test func `a call can build its request and parse its response`() async throws {
        let mock = MockTransport(.status(200, body: "a,b,c"))
        var list = TypedEndpoint(
            .get("/list"),
            decoding: .custom { data, response in
                String(decoding: data, as: UTF8.self).split(separator: ",").map(String.init) + [
                    "\(response.statusCode)"
                ]
            })
        list.building = { $0.headers["X-Built"] = "1" }
        list.timeout = .seconds(3)
        #expect(try await HTTPClient(mock).request(list) == ["a", "b", "c", "200"])
        #expect(mock.requests.map { $0.headers["X-Built"] } == ["1"] && mock.requests.first?.timeout == .seconds(3))
    }

    @Test func `the error of a request closure is the call's error, and nothing is sent`() async {
        struct Unwilling: Error {}
        let mock = MockTransport(.status(200))
        var endpoint = TypedEndpoint(.get("/"), decoding: .nothing)
        endpoint.building = { _ in throw Unwilling() }
        let error = await #expect(throws: NetworkError.self) { try await HTTPClient(mock).request(endpoint) }
        #expect(error?.kind == .invalidRequest && error?.underlying is Unwilling && mock.requests.isEmpty)
    }

    @Test func `a call can accept other statuses than 200 to 299`() async throws {
        var endpoint = TypedEndpoint(.get("/"), decoding: .string)
        endpoint.validation = .statusCodes([404])
        #expect(try await HTTPClient(MockTransport(.status(404, body: "no"))).request(endpoint) == "no")
    }

    @Test func `a request type can be an alias of a generic type`() async throws {
        let client = HTTPClient(MockTransport(.json(#"[{"text": "hi"}]"#).repeating()))
        let request = CommentRequest(.get("/comments"))
        #expect(try await client.request(request) == [Comment(text: "hi")])
        #expect(try await client.start(request).value.count == 1)
    }

    @Test func `coders can be set for a client and for a call`() async throws {
        struct Note: Codable, Equatable, Sendable { var at: Date }
        let note = Note(at: Date(timeIntervalSince1970: 60))
        let mock = MockTransport(.json(#"{"at": 60}"#).repeating())
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let client = HTTPClient(mock) { ($0.encoder, $0.decoder) = (encoder, decoder) }
        #expect(try await client.request(.post("/").json(note)) == note)
        let other = HTTPClient(mock)
        let empty: EmptyBody = try await other.request(.post("/").json(note, encoder: encoder))
        #expect(try await other.request(.get("/"), decoding: .json(decoder)) == note && empty == EmptyBody())
        #expect(mock.requests.prefix(2).map(\.body.data) == Array(repeating: Data(#"{"at":60}"#.utf8), count: 2))
    }

    @Test func `a value can be sent as JSON and the response ignored`() async throws {
        let mock = MockTransport(.status(201, body: "no JSON"), .status(201, body: "no JSON"), .status(400))
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        let client = HTTPClient(baseURL: API.base, configuration: configuration)
        try await client.request(.post("/").json(["name": "Ada"]))
        let done: Void = try await client.request(.post("/").json(["name": "Ada"]))
        #expect(
            done == ()
                && mock.requests.map { $0.body.data } == Array(repeating: Data(#"{"name":"Ada"}"#.utf8), count: 2))
        let error = await #expect(throws: NetworkError.self) {
            try await client.request(.post("/").json(["name": "Ada"]))
        }
        #expect(error?.statusCode == 400)
    }

    @Test func `a value is available with its response`() async throws {
        let client = HTTPClient(MockTransport(.json(#"{"id": 7}"#, status: 201, headers: ["ETag": "x"])))
        let response = try await client.response(.post("/users"), as: User.self)
        #expect(response.value.id == 7 && response.statusCode == 201 && response.headers["etag"] == "x")
    }

    @Test func `a prepared request is sent like any other request`() async throws {
        let mock = MockTransport(.status(503), .json(#"{"id": 7}"#).repeating())
        let client = HTTPClient(mock, [Retry()])
        var request = URLRequest(url: try #require(URL(string: "https://other.test/a?b=c")))
        request.httpMethod = "PUT"
        request.httpBody = Data("x".utf8)
        #expect(try await client.request(request) == User(id: 7))
        let bytes: Data = try await client.request(request)
        #expect(bytes == Data(#"{"id": 7}"#.utf8))
        #expect(try await client.send(request).statusCode == 200 && mock.requests.count == 4)
        #expect(
            mock.requests.allSatisfy { $0.method == .put && $0.url == request.url && $0.body.data == request.httpBody })
    }

    @Test func `the request of an endpoint is available without sending it`() throws {
        let mock = MockTransport()
        let endpoint = Endpoint.post("/a", headers: ["X-One": "1"]).body(Data("x".utf8)).bearer("t")
        let request = try HTTPClient(mock).urlRequest(for: endpoint)
        #expect(request.url?.absoluteString == "http://api.test/v1/a" && request.httpMethod == "POST")
        #expect(request.allHTTPHeaderFields == ["X-One": "1", "Authorization": "Bearer t"])
        #expect(request.httpBody == Data("x".utf8) && mock.requests.isEmpty)
    }

    @Test func `a request that is only inspected has the JSON of the client's encoder`() async throws {
        struct Draft: Encodable, Sendable { let userName: String }
        let mock = MockTransport(.status(204))
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let client = HTTPClient(mock) { $0.encoder = encoder }
        let endpoint = Endpoint.post("/a").json(Draft(userName: "ada"))
        let inspected = try client.urlRequest(for: endpoint)
        try await client.send(endpoint)
        #expect(inspected.httpBody == Data(#"{"user_name":"ada"}"#.utf8))
        #expect(inspected.httpBody == mock.requests.first?.body.data)
    }

    @Test func `an invalid prepared request is refused`() async throws {
        let mock = MockTransport(.status(200))
        let request = URLRequest(url: try #require(URL(string: "file:///etc/passwd")))
        let error = await #expect(throws: NetworkError.self) { try await HTTPClient(mock).send(request) }
        #expect(error?.kind == .invalidRequest && mock.requests.isEmpty)
    }
}
