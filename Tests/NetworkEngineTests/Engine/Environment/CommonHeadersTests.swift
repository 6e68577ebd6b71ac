import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A configuration's headers.
@Suite(.timeLimit(.minutes(5))) struct CommonHeadersTests {
    private let mock = MockTransport(.status(200).repeating())

    private func provider(
        _ headers: HTTPHeaders,
        _ interceptors: [any RequestInterceptor] = [],
        _ change: (inout NetworkConfiguration) -> Void = { _ in }
    ) -> NetworkProvider<TestTarget> {
        NetworkProvider(mock, interceptors) {
            $0.headers = headers
            change(&$0)
        }
    }

    private func sent(
        _ headers: HTTPHeaders,
        _ target: TestTarget,
        _ interceptors: any RequestInterceptor...
    ) async throws -> HTTPHeaders {
        _ = try await provider(headers, interceptors).send(target)
        return try #require(mock.requests.last).headers
    }

    @Test func `every kind of call has the common headers`() async throws {
        let styles = CallStyles { $0.headers = ["X-Client": "7"] }
        for (name, call) in styles.sending {
            try await call()
            #expect(styles.mock.requests.last?.headers["X-Client"] == "7", "\(name)")
        }
        let request = try provider(["X-Client": "7"]).urlRequest(for: TestTarget())
        #expect(request.value(forHTTPHeaderField: "X-Client") == "7")
    }

    @Test func `a target's or endpoint's own fields win, ignoring case`() async throws {
        let common: HTTPHeaders = ["X-A": "common", "X-B": "common"]
        let own: HTTPHeaders = ["x-a": "own"]
        #expect(try await sent(common, TestTarget(headers: own)) == ["x-a": "own", "X-B": "common"])
        try await HTTPClient(mock) { $0.headers = common }.send(.get("/", headers: own))
        #expect(mock.requests.last?.headers == ["x-a": "own", "X-B": "common"])
        var prepared = URLRequest(url: API.base)
        prepared.setValue("own", forHTTPHeaderField: "X-A")
        _ = try await provider(common).send(prepared)
        #expect(mock.requests.last?.headers["X-A"] == "own")
        #expect(mock.requests.last?.headers["X-B"] == "common")
    }

    @Test func `several values of a name are kept, and replaced together`() async throws {
        var common = HTTPHeaders()
        for value in ["1", "2"] { common.add(value, for: "X-A") }
        #expect(try await sent(common, TestTarget()).values(for: "X-A") == ["1", "2"])
        #expect(try await sent(common, TestTarget(headers: ["X-A": "3"])).values(for: "X-A") == ["3"])
    }

    @Test func `the type of a body wins, and a common type is for bodies without one`() async throws {
        let common: HTTPHeaders = ["Content-Type": "application/json"]
        let part = MultipartFormData(provider: .data(Data()), name: "a")
        let multipart = try await sent(common, TestTarget(method: .post, task: .uploadMultipart([part])))
        #expect(multipart["Content-Type"]?.hasPrefix("multipart/form-data; boundary=") == true)
        let bytes = try await sent(common, TestTarget(method: .post, task: .requestData(Data("1".utf8))))
        #expect(bytes["Content-Type"] == "application/json")
    }

    @Test func `events ask for events, whatever type is common`() async throws {
        let styles = CallStyles { $0.headers = ["Accept": "application/json"] }
        for (_, call) in styles.sending { try await call() }
        let types = styles.mock.requests.map { $0.headers["Accept"] }
        #expect(Set(types) == ["application/json", "text/event-stream"])
        #expect(types.count { $0 == "text/event-stream" } == 2)
    }

    private static let secrets: HTTPHeaders = [
        "Authorization": "a", "X-Api-Key": "k", "X-Customer": "c", "X-Client": "7", "Accept-Language": "de",
    ]

    @Test(arguments: ["https://other.test/x", "http://api.test:8080/x", "https://trusted.test/x", "/x"])
    func `another origin gets the harmless common headers only, unless it is trusted`(path: String) async throws {
        let isOwn = path == "/x" || path.contains("trusted")
        let expected: HTTPHeaders = isOwn ? Self.secrets : ["Accept-Language": "de"]
        let provider = provider(Self.secrets) {
            $0.secretNames = ["x-customer"]
            $0.trustedOrigins = [URL(string: "https://trusted.test")].compactMap { $0 }
        }
        _ = try await provider.send(TestTarget(path: path))
        #expect(mock.requests.last?.headers == expected)
    }

    @Test func `a prepared request has a base with a client only`() async throws {
        let request = URLRequest(url: API.base)
        _ = try await provider(Self.secrets).send(request)
        #expect(mock.requests.last?.headers == ["X-Customer": "c", "X-Client": "7", "Accept-Language": "de"])
        try await HTTPClient(mock) { $0.headers = Self.secrets }.send(request)
        #expect(mock.requests.last?.headers == Self.secrets)
    }

    @Test func `a redirect to another origin does not carry the secret ones`() async throws {
        let mock = MockTransport(.status(302, headers: ["Location": "https://other.test/"]), .status(200))
        let provider = NetworkProvider<API>(mock) { $0.headers = Self.secrets.merging(["User-Agent": "App"]) }
        _ = try await provider.send(.plain)
        #expect(mock.requests.last?.headers == ["Accept-Language": "de", "User-Agent": "App"])
    }

    @Test func `a token replaces a common Authorization, but not one that is set by hand`() async throws {
        let common: HTTPHeaders = ["authorization": "Basic common"]
        let source = TokenSource { "t" }
        let refresher = TokenRefresher(store: InMemoryCredentialStore(BearerToken("t"))) { old, _ in old }
        let own = TestTarget(headers: ["Authorization": "mine"])
        for interceptor in [source, refresher] as [any RequestInterceptor] {
            #expect(try await sent(common, TestTarget(), interceptor).values(for: "Authorization") == ["Bearer t"])
            #expect(try await sent(common, own, interceptor).values(for: "Authorization") == ["mine"])
        }
    }

    @Test func `a common Authorization is sent where there is no token`() async throws {
        let common: HTTPHeaders = ["Authorization": "Basic common"]
        let refresher = TokenRefresher(store: InMemoryCredentialStore<BearerToken>(nil)) { old, _ in old }
        for interceptor in [TokenSource { nil }, refresher] as [any RequestInterceptor] {
            for authorization in [AuthorizationRequirement.optional, .anonymous] {
                let target = TestTarget(authorization: authorization)
                #expect(try await sent(common, target, interceptor)["Authorization"] == "Basic common")
            }
        }
    }

    @Test func `a rejected token is refreshed beside a common Authorization`() async throws {
        let rig = RefreshRig()
        let provider = rig.provider([rig.refresher()]) { $0.headers = ["Authorization": "Basic common"] }
        #expect(await provider.failure(TestTarget()) == nil)
        #expect(rig.tokens == ["Bearer old", "Bearer new"] && rig.refreshCount == 1)
    }

    @Test(arguments: ["X-A": "a\nb", "X A": "a", "Content-Length": "3"] as [String: String])
    func `a common header that is not legal fails the call before anything is sent`(
        name: String,
        value: String
    ) async throws {
        let source = TokenSource {
            Issue.record("the closure was asked")
            return "t"
        }
        let provider = provider([name: value], [source])
        let errors = [
            await provider.failure(TestTarget()),
            #expect(throws: NetworkError.self) { try provider.urlRequest(for: TestTarget()) },
        ]
        #expect(errors.allSatisfy { $0?.kind == .invalidRequest })
        #expect(errors.allSatisfy { $0?.reason.contains("the configuration's headers") == true })
        #expect(mock.requests.isEmpty)
    }

    @Test func `an error hides the secret ones`() async throws {
        let provider = NetworkProvider<TestTarget>(MockTransport(.status(500))) {
            $0.headers = ["Authorization": "s3cr3t-value", "X-Customer": "s3cr3t-name"]
            $0.secretNames = ["x-customer"]
        }
        let error = try #require(await provider.failure(TestTarget()))
        #expect(error.request?.headers["X-Customer"] == "s3cr3t-name")
        var text = "\(error) \(error.request?.headers.description ?? "")"
        dump(error, to: &text)
        #expect(!text.contains("s3cr3t"))
    }

    @Test func `dictionaries convert to common headers`() async throws {
        let dictionary = ["X-A": "1"]
        var headers: HTTPHeaders = ["X-A": "0", "X-B": "2"]
        headers.merge(dictionary)
        #expect(headers == ["X-B": "2", "X-A": "1"] && headers.merging(dictionary) == headers)
        #expect(try await sent(HTTPHeaders(dictionary), TestTarget()) == ["X-A": "1"])
    }
}
