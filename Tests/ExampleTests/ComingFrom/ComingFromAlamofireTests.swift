import Foundation
import NetworkEngine
import NetworkEngineTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The right-hand sides of “Coming from Alamofire”.
@Suite(.timeLimit(.minutes(5))) struct ComingFromAlamofireTests {
    @Test @MainActor func `by callback`() async throws {
        let client = makeClient(MockTransport(ada))
        let first = FirstResult<User>()
        let show = first.give
        // sample
        client.request(.get("/users/7"), as: User.self) { result in
            show(result)
        }
        // end
        #expect(try await first.value()?.name == "Ada")
    }

    @Test func `awaited`() async throws {
        let client = makeClient(MockTransport(ada))
        // sample
        let user: User = try await client.request(.get("/users/7"))
        // end
        #expect(user.name == "Ada")
    }

    @Test func `in the query`() async throws {
        let mock = MockTransport(users)
        let client = makeClient(mock)
        let since: Date? = nil
        // sample
        let users: [User] = try await client.request(
            .get("/users", query: ["page": 2, "tags": ["a", "b"], "active": true, "since": since]))
        // end
        #expect(users.count == 1 && mock.requests.count == 1)
        #expect(mock.requests.first?.url.query(percentEncoded: false) == "page=2&tags[]=a&tags[]=b&active=1")
    }

    @Test func `a JSON body`() async throws {
        let mock = MockTransport(ada)
        let client = makeClient(mock)
        let draft = Draft(name: "Ada")
        // sample
        let made: User = try await client.request(.post("/users").json(draft))
        // end
        #expect(made.id == 7 && mock.requests.first?.body.data == Data(#"{"name":"Ada"}"#.utf8))
    }

    @Test func `headers`() async throws {
        let mock = MockTransport(ada)
        let client = makeClient(mock)
        let token = "t"
        // sample
        let headers: HTTPHeaders = [.accept("application/json"), .authorization(bearer: token)]
        let me: User = try await client.request(.get("/me", headers: headers))
        // end
        #expect(me.id == 7 && mock.requests.first?.headers["Authorization"] == "Bearer t")
    }

    // sample
    enum UserAPI: TargetType {
        case user(Int), create(Draft), form, photo(Data), log, report(URL)

        var baseURL: URL { api }
        var path: EndpointPath {
            switch self {
            case .user(let id): "/users/\(id)"
            case .create: "/users"
            case .form: "/form"
            case .photo: "/photo"
            case .log: "/log"
            case .report: "/report.pdf"
            }
        }
        var method: HTTPMethod {
            switch self {
            case .create, .form, .photo: .post
            default: .get
            }
        }
        var task: NetworkTask {
            switch self {
            case .user, .log: .requestPlain
            case .create(let draft): .requestJSONEncodable(draft)
            case .form: .requestParameters(parameters: ["name": "Ada"], encoding: .formBody)
            case .photo(let data):
                .uploadMultipart([MultipartFormData(provider: .data(data), name: "photo", fileName: "a.jpg")])
            case .report(let folder): .downloadDestination(.suggested(in: folder, options: [.createFolders, .replace]))
            }
        }
    }
    // end

    @Test func `a router`() async throws {
        let mock = MockTransport(ada, .status(200))
        let provider: NetworkProvider<UserAPI> = makeProvider(mock)
        // sample
        let user: User = try await provider.request(.user(7))
        try await provider.request(.form)
        // end
        #expect(user.name == "Ada" && mock.requests.last?.body.data == Data("name=Ada".utf8))
    }

    @Test func `validation`() async throws {
        let client = makeClient(MockTransport(ada))
        // sample
        var endpoint = TypedEndpoint<User>(.get("/users/7"))
        endpoint.validation = .statusCodes(200..<400).contentType("application/json")
        let user = try await client.request(endpoint)
        // end
        #expect(user.id == 7)
    }

    @Test func `errors`() async throws {
        let client = makeClient(MockTransport(.status(404)))
        // sample
        func user(_ id: Int) async throws(NetworkError) -> User? {
            do throws(NetworkError) {
                return try await client.request(.get("/users/\(id)"))
            } catch {
                guard error.statusName == .notFound else { throw error }
                return nil
            }
        }
        // end
        #expect(try await user(7) == nil)
    }

    @Test func `another serializer`() async throws {
        let client = makeClient(MockTransport(.status(200, body: "a\nb")))
        // sample
        let count = try await client.request(
            .get("/names"), decoding: .custom { data, _ in data.split(separator: 10).count })
        // end
        #expect(count == 2)
    }

    @Test func `bytes and text`() async throws {
        let client = makeClient(MockTransport(.json("bytes"), .json("text")))
        // sample
        let photo: Data = try await client.request(.get("/photo"))
        let motto = try await client.request(.get("/motto"), decoding: .string)
        // end
        #expect(photo == Data("bytes".utf8) && motto == "text")
    }

    @Test func `how values are written`() async throws {
        struct Search: TargetType {
            var baseURL: URL { api }
            var path: String { "/users" }
            var task: NetworkTask { .requestParameterEncodable(["tags": ["a", "b"]]) }
        }
        // sample
        var configuration = NetworkConfiguration()
        configuration.queryEncoder.arrays = .noBrackets
        configuration.queryEncoder.dates = .secondsSince1970
        let provider = NetworkProvider<Search>(configuration: configuration)
        // end
        #expect(try provider.urlRequest(for: Search()).url?.query == "tags=a&tags=b")
    }

    @Test func `nothing`() async throws {
        let client = makeClient(MockTransport(.status(204), .status(204)))
        // sample
        try await client.send(.delete("/users/7"))
        let gone: User? = try await client.request(.get("/users/7"))
        // end
        #expect(gone == nil)
    }

    // sample
    struct Tracing: RequestInterceptor {
        func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
            var request = request
            request.headers["X-Trace"] = "1"
            return request
        }
        func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision {
            error.statusCode == 503 ? .retryAfter(.seconds(1)) : .doNotRetry
        }
    }
    // end

    @Test func `interceptors`() async throws {
        let mock = MockTransport(.status(503), .json("[]"))
        let clock = TestClock()
        var configuration = NetworkConfiguration()
        (configuration.transport, configuration.clock) = (mock, clock)
        // sample
        let client = HTTPClient(
            baseURL: api, interceptors: [Tracing(), RetryPolicy(attemptLimit: 3)], configuration: configuration)
        // end
        async let users: [User] = client.request(.get("/users"))
        #expect(await clock.advanceToNextSleeper(within: .seconds(9)) == .seconds(1))
        #expect(try await users == [] && mock.requests.map { $0.headers["X-Trace"] } == ["1", "1"])
    }

    // sample
    struct Log: RequestInterceptor {
        let report: @Sendable (Int) -> Void

        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: @escaping Next
        ) async throws -> HTTPResponse {
            let response = try await next(request)
            report(response.statusCode)
            return response
        }
    }
    // end

    @Test func `name and password`() async throws {
        let (name, password, mock) = ("ada", "secret", MockTransport(.status(200)))
        let (reports, source) = AsyncStream.makeStream(of: Int.self)
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        // sample
        let basic = BasicAuth(username: name, password: password)
        let client = HTTPClient(
            baseURL: api, interceptors: [basic, Log { source.yield($0) }], configuration: configuration)
        // end
        try await client.send(.get("/me"))
        #expect(mock.requests.first?.headers["Authorization"] == "Basic YWRhOnNlY3JldA==")
        for await status in reports.prefix(1) { #expect(status == 200) }
    }

    @Test func `a token`() async throws {
        let mock = MockTransport(.status(401), ada)
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        // sample
        let store = InMemoryCredentialStore(BearerToken("old", refreshToken: "r"))
        let refresher = TokenRefresher(store: store) { old, context in
            BearerToken("new", refreshToken: old.refreshToken)  // ask your server, by `context.request(…)`
        }
        let client = HTTPClient(baseURL: api, interceptors: [refresher], configuration: configuration)
        // end
        let _: User = try await client.request(.get("/me"))
        #expect(mock.requests.map { $0.headers["Authorization"] } == ["Bearer old", "Bearer new"])
    }

    @Test func `an upload`() async throws {
        let mock = MockTransport(ada)
        let provider: NetworkProvider<UserAPI> = makeProvider(mock)
        let photo = Data("pixels".utf8)
        // sample
        let user: User = try await provider.upload(.photo(photo), progress: { print($0.fraction ?? 0) })
        // end
        #expect(user.id == 7)
        #expect(mock.requests.first?.headers["Content-Type"]?.hasPrefix("multipart/form-data; boundary=") == true)
    }

    @Test func `a download`() async throws {
        let provider: NetworkProvider<UserAPI> = makeProvider(MockTransport(.status(200, body: "%PDF")))
        let temporary = try TemporaryFolder()
        let folder = temporary.url
        // sample
        let file = try await provider.download(.report(folder))
        // end
        #expect(file.lastPathComponent == "report.pdf")
        #expect(try Data(contentsOf: file) == Data("%PDF".utf8))
    }

    @Test func `a download that is broken off`() async throws {
        let provider: NetworkProvider<UserAPI> = makeProvider(
            MockTransport(MockAnswer.status(200, body: "%PDF").repeating()))
        let temporary = try TemporaryFolder()
        let folder = temporary.url
        // sample
        let handle = provider.startDownload(.report(folder))
        let rest = await handle.cancelProducingResumeData()  // Codable; nil when there is nothing to go on with
        let file = try await provider.download(.report(folder), resuming: rest)
        // end
        #expect(try Data(contentsOf: file) == Data("%PDF".utf8))
    }

    @Test(.enabled(if: RequestCompression.isAvailable, "there is no zlib")) func `a compressed body`() async throws {
        let mock = MockTransport(ada)
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        let letters = Draft(name: String(repeating: "a", count: 2000))
        // sample
        let client = HTTPClient(baseURL: api, interceptors: [RequestCompression(.gzip)], configuration: configuration)
        let made: User = try await client.request(.post("/users").json(letters))
        // end
        #expect(made.id == 7 && mock.requests.first?.headers["Content-Encoding"] == "gzip")
    }

    @Test func `a stream`() async throws {
        let client = makeClient(MockTransport(.status(200, body: "a\nb")))
        var shown: [String] = []
        func show(_ line: String) { shown.append(line) }
        // sample
        for try await line in try await client.stream(.get("/log")).lines() { show(line) }
        // end
        #expect(shown == ["a", "b"])
    }

    @Test func `a stream of documents`() async throws {
        let body = #"{"id": 7, "name": "Ada"}"# + "\n" + #"{"id": 8, "name": "Bob"}"#
        let client = makeClient(MockTransport(.status(200, body: body)))
        var shown: [String] = []
        func show(_ user: User) { shown.append(user.name) }
        // sample
        for try await user in try await client.stream(.get("/users")).jsonLines(as: User.self) { show(user) }
        // end
        #expect(shown == ["Ada", "Bob"])
    }

    @Test func `canceling`() async throws {
        let client = makeClient(MockTransport(.hang))
        let first = FirstResult<User>()
        let show = first.give
        // sample
        let request = client.request(.get("/users/7"), as: User.self, queue: .main) { show($0) }
        request.cancel()
        client.cancelAll()
        // end
        await #expect(throws: NetworkError.self) { try await first.value() }
    }

    @Test func `times`() async throws {
        let mock = MockTransport(ada)
        let client = makeClient(mock)
        // sample
        var endpoint = TypedEndpoint<User>(.get("/users/7"))
        endpoint.timeout = .seconds(5)
        let user = try await client.request(endpoint)
        // end
        #expect(user.id == 7 && mock.requests.first?.timeout == .seconds(5))
    }

    @Test func `redirects`() async throws {
        let mock = MockTransport(.status(302, headers: ["Location": "/new"]))
        // sample
        var configuration = NetworkConfiguration()
        configuration.redirects = .never
        configuration.validation = .statusCodes(200..<400)
        // end
        configuration.transport = mock
        let response = try await HTTPClient(baseURL: api, configuration: configuration).send(.get("/old"))
        #expect(response.statusCode == 302 && mock.requests.count == 1)
    }

    @Test func `pinning`() throws {
        // sample
        var tls = TLSPolicy()
        tls.pins = ["api.example.com": [.publicKey("sha256//r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=")]]
        var configuration = NetworkConfiguration()
        configuration.transport = URLSessionTransport(tls: tls)  // on Linux: CurlTransport
        // end
        #expect(configuration.transport is URLSessionTransport && tls.pins.count == 1)
    }

    @Test func `reachability`() async {
        let reachability = Reachability(ScriptedReachability(.offline))
        var shown: [ReachabilityStatus] = []
        func show(_ status: ReachabilityStatus) { shown.append(status) }
        // sample
        for await status in reachability {  // Reachability.system
            show(status)
            break
        }
        // end
        #expect(shown == [.offline])
    }

    @Test func `a session configuration`() {
        // sample
        let session = URLSessionConfiguration.default
        session.httpMaximumConnectionsPerHost = 2
        var configuration = NetworkConfiguration()
        configuration.transport = URLSessionTransport(configuration: session)
        // end
        #expect(configuration.transport is URLSessionTransport)
    }
}
