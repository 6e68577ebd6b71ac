import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct NetworkProviderTests {
    private struct Sign: RequestInterceptor {
        let name: String

        func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
            var request = request
            request.headers["X-Trail"] = (request.headers["X-Trail"] ?? "") + name
            return request
        }
    }

    private func trail(_ make: (NetworkConfiguration) -> NetworkProvider<API>) async throws -> [String?] {
        let mock = MockTransport(.status(200))
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        try await make(configuration).request(.plain)
        return mock.requests.map { $0.headers["X-Trail"] }
    }

    @Test func `a provider has no interceptor, one, or a list of them in order`() async throws {
        #expect(try await trail { NetworkProvider(configuration: $0) } == [nil])
        #expect(try await trail { NetworkProvider(interceptor: Sign(name: "a"), configuration: $0) } == ["a"])
        let list = ["a", "b", "c"].map { Sign(name: $0) }
        #expect(try await trail { NetworkProvider(interceptors: list, configuration: $0) } == ["abc"])
    }

    private let failing = MockTransport(MockAnswer.status(503).repeating())

    private func policy(_ attempts: Int) -> RetryPolicy {
        RetryPolicy(attemptLimit: attempts, backoff: .constant(.zero))
    }

    @Test func `interceptors of a call run inside the provider's`() async {
        let provider = NetworkProvider<API>(failing, [Sign(name: "a"), Sign(name: "b")])
        _ = await provider.adding(Sign(name: "c"), Sign(name: "d")).failure(.plain)
        _ = await provider.failure(.plain)
        #expect(failing.requests.map { $0.headers["X-Trail"] } == ["abcd", "ab"])
    }

    @Test func `a policy of a call replaces the provider's`() async {
        let provider = NetworkProvider<API>(failing, [policy(3), Sign(name: "a")]) { $0.attemptLimit = 5 }
        #expect(await provider.adding(policy(1)).failure(.plain)?.attempts.count == 1)
        #expect(await provider.adding(policy(4)).failure(.plain)?.attempts.count == 4)
        #expect(await provider.failure(.plain)?.attempts.count == 3)
        #expect(failing.requests.allSatisfy { $0.headers["X-Trail"] == "a" })
    }

    @Test func `a policy of a call replaces the client's`() async {
        var configuration = NetworkConfiguration()
        configuration.transport = failing
        let client = HTTPClient(baseURL: API.base, interceptors: [policy(3)], configuration: configuration)
        await #expect(throws: NetworkError.self) {
            let _: Data = try await client.adding(policy(1), Sign(name: "c")).request(.get("/things"))
        }
        #expect(failing.requests.map { $0.headers["X-Trail"] } == ["c"])
    }

    @Test func `the request of a target is available without sending it, before any interceptor`() throws {
        let mock = MockTransport()
        let task = NetworkTask.requestCompositeData(bodyData: Data("body".utf8), urlParameters: ["a": 1])
        var target = TestTarget(method: .patch, task: task, headers: ["X-One": "1"], timeout: .seconds(7))
        target.headers.add("2", for: "X-One")
        let request = try NetworkProvider<TestTarget>(mock, [Sign(name: "a")]).urlRequest(for: target)
        #expect(request.url?.absoluteString == "http://api.test/v1/things?a=1")
        #expect(request.httpMethod == "PATCH" && request.httpBody == Data("body".utf8))
        #expect(request.allHTTPHeaderFields == ["X-One": "1, 2"] && request.timeoutInterval == 7)
        #expect(mock.requests.isEmpty)
    }

    @Test func `header names are written as the target wrote them`() throws {
        let headers: HTTPHeaders = ["key1": "a", "x-API-key": "b", "ETAG": "c"]
        let request = HTTPRequest(url: API.base, headers: headers).urlRequest
        #expect(request.allHTTPHeaderFields == ["key1": "a", "x-API-key": "b", "ETAG": "c"])
    }

    @Test func `the request of a download or an upload is available without sending it`() throws {
        let provider = NetworkProvider<TestTarget>(MockTransport())
        let download = TestTarget(task: .downloadDestination(.temporary))
        #expect(try provider.urlRequest(for: download).httpMethod == "GET")
        let parts = [MultipartFormData(provider: .data(Data("x".utf8)), name: "a")]
        let upload = try provider.urlRequest(for: TestTarget(method: .post, task: .uploadMultipart(parts)))
        #expect(upload.value(forHTTPHeaderField: "Content-Type")?.hasPrefix("multipart/form-data; boundary=") == true)
        #expect(upload.httpBody?.isEmpty == false)
    }

    @Test func `an invalid target has no request`() {
        let provider = NetworkProvider<TestTarget>(MockTransport())
        let error = #expect(throws: NetworkError.self) { try provider.urlRequest(for: TestTarget(method: "GE T")) }
        #expect(error?.kind == .invalidRequest)
    }

    @Test func `a prepared request is sent like any other`() async throws {
        let mock = MockTransport(.status(503), .status(200, body: "done"))
        struct Retry: RequestInterceptor {
            func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision { .retry }
        }
        var request = URLRequest(url: try #require(URL(string: "http://other.test/a?b=c")))
        request.httpMethod = "PUT"
        request.httpBody = Data("body".utf8)
        request.setValue("1", forHTTPHeaderField: "X-One")
        let response = try await NetworkProvider<TestTarget>(mock, [Sign(name: "a"), Retry()]).send(request)
        #expect(response.data == Data("done".utf8) && mock.requests.count == 2)
        let sent = try #require(mock.requests.last)
        #expect(sent.method == .put && sent.url == request.url && sent.body.data == request.httpBody)
        #expect(sent.headers["X-One"] == "1" && sent.headers["X-Trail"] == "a")
    }

    @Test func `a prepared request is decoded, and its bytes are returned where no type is named`() async throws {
        let mock = MockTransport(MockAnswer.json(#"[{"first_name": "Ada"}]"#).repeating())
        var configuration = NetworkConfiguration()
        configuration.decoder.keyDecodingStrategy = .convertFromSnakeCase
        configuration.transport = mock
        struct Person: Decodable, Equatable { var firstName: String }
        let provider = NetworkProvider<TestTarget>(interceptors: [Sign(name: "a")], configuration: configuration)
        let client = HTTPClient(baseURL: API.base, configuration: configuration)
        let request = URLRequest(url: try #require(URL(string: "http://other.test/a")))
        let people: [Person] = try await provider.request(request)
        #expect(people == [Person(firstName: "Ada")])
        let data = try await provider.request(request)
        #expect(data == Data(#"[{"first_name": "Ada"}]"#.utf8))
        #expect(mock.requests.map { $0.headers["X-Trail"] } == ["a", "a"])
        #expect(try await client.request(request) as [Person] == people)
        #expect(try await client.request(request) == data)
        try await provider.request(request)
        try await provider.send(request)
        try await client.request(request)
        #expect(mock.requests.count == 7 && mock.requests.allSatisfy { $0.url == request.url })
    }

    @Test func `a prepared request that fails has the provider's error`() async throws {
        let provider = NetworkProvider<TestTarget>(MockTransport(.status(404), .json("[]")))
        let request = URLRequest(url: try #require(URL(string: "http://other.test/a")))
        for kind in [NetworkError.Kind.status, .decoding] {
            let error = await #expect(throws: NetworkError.self) { try await provider.request(request) as Int }
            #expect(error?.kind == kind)
        }
    }

    @Test(arguments: ["file:///etc/passwd", "relative"])
    func `an invalid prepared request is refused`(address: String) async throws {
        let mock = MockTransport(.status(200))
        let request = URLRequest(url: try #require(URL(string: address)))
        let error = await #expect(throws: NetworkError.self) {
            try await NetworkProvider<TestTarget>(mock).request(request) as Int
        }
        #expect(error?.kind == .invalidRequest && mock.requests.isEmpty)
    }

    @Test func `a request survives the conversion to URLRequest and back`() throws {
        var request = HTTPRequest(method: .put, url: API.base, body: .data(Data("x".utf8)), timeout: .seconds(3))
        request.headers = ["X-One": "1"]
        let back = try HTTPRequest(request.urlRequest)
        #expect(back.method == .put && back.url == API.base && back.body.data == Data("x".utf8))
        #expect(back.headers["x-one"] == "1" && back.timeout == .seconds(3))
    }
}
