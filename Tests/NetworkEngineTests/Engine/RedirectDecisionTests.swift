import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Redirects that a closure decides on, for all calls and for a single target or endpoint.
@Suite(.timeLimit(.minutes(5))) struct RedirectDecisionTests {
    private static let origin = URL(string: "https://a.test/start")!

    private func redirect(_ location: String) -> MockAnswer {
        .status(302, headers: ["Location": location], body: "moved")
    }

    private func client(
        _ first: MockAnswer,
        _ second: MockAnswer = .status(200),
        decision: (@Sendable (HTTPResponse, HTTPRequest) -> HTTPRequest?)?
    ) -> (HTTPClient, MockTransport) {
        let mock = MockTransport(first, second)
        return (HTTPClient(mock, base: Self.origin) { $0.redirects.decision = decision }, mock)
    }

    private func next(
        _ location: String,
        headers: HTTPHeaders = [:],
        isRefresh: Bool = false,
        _ decision: @escaping @Sendable (HTTPResponse, HTTPRequest) -> HTTPRequest?
    ) throws(NetworkError) -> HTTPRequest? {
        var policy = RedirectPolicy()
        policy.decision = decision
        let request = HTTPRequest(url: Self.origin, headers: headers)
        let response = HTTPResponse(statusCode: 302, headers: ["Location": location], request: request)
        return try Redirect.next(after: response, to: request, policy: policy, isRefresh: isRefresh)
    }

    @Test func `a decision gets the response and the next request, and can leave it as it is`() async throws {
        let seen = Locked<[String]>([])
        let (client, mock) = client(redirect("/b")) { response, next in
            seen.withLock { $0.append("\(response.statusCode) \(next.url.absoluteString)") }
            return next
        }
        try await client.send(.get(""))
        #expect(seen.withLock { $0 } == ["302 https://a.test/b"] && mock.requests.count == 2)
    }

    @Test func `a decision can end the redirects, and the response has its body`() async throws {
        let (client, mock) = client(redirect("/login")) { _, _ in nil }
        var endpoint = Endpoint.get("")
        endpoint.validation = .statusCodes(200..<400)
        let response = try await client.send(endpoint)
        #expect(response.statusCode == 302 && response.text == "moved" && mock.requests.count == 1)
        let (other, _) = self.client(redirect("/")) { _, _ in nil }
        let error = await #expect(throws: NetworkError.self) { try await other.send(.get("")) }
        #expect(error?.statusCode == 302)
    }

    @Test func `a decision can change the request`() throws {
        let next = try next("/b", headers: ["Authorization": "t"]) { _, next in
            var next = next
            next.headers["X-Hop"] = "1"
            next.url = URL(string: "https://a.test/c")!
            return next
        }
        #expect(next?.url.path == "/c" && next?.headers["X-Hop"] == "1" && next?.headers["Authorization"] == "t")
    }

    @Test func `a change to another origin sends no secrets there`() throws {
        let headers: HTTPHeaders = ["Authorization": "t", "Accept": "a/b", "X-Key": "k"]
        let next = try next("/b", headers: headers) { _, next in
            var next = next
            next.url = URL(string: "https://b.test/c")!
            return next
        }
        #expect(next?.headers == ["Accept": "a/b"])
    }

    @Test func `a field that the decision adds goes to the origin that it was decided for`() throws {
        let next = try next("https://b.test/c", headers: ["Authorization": "a"]) { _, next in
            var next = next
            next.headers["Authorization"] = "b"
            return next
        }
        #expect(next?.headers["Authorization"] == "b")
    }

    @Test func `a change that breaks a rule is an error`() {
        for (address, isRefresh) in [("http://a.test/", false), ("ftp://a.test/", false), ("https://b.test/", true)] {
            let error = #expect(throws: NetworkError.self) {
                try next("/b", isRefresh: isRefresh) { _, next in
                    var next = next
                    next.url = URL(string: address)!
                    return next
                }
            }
            #expect(error?.kind == .redirect)
        }
    }

    @Test func `the limit counts redirects that were changed`() async throws {
        let (client, _) = client(redirect("/b").repeating()) { _, next in next }
        let error = await #expect(throws: NetworkError.self) { try await client.send(.get("")) }
        #expect(error?.kind == .redirect)
    }

    @Test func `an endpoint and a target have their own redirects`() async throws {
        struct Moved: TargetType {
            var baseURL: URL { RedirectDecisionTests.origin }
            var path: String { "" }
            var redirects: RedirectPolicy { .never }
            var validation: ResponseValidation { .statusCodes([302]) }
        }
        let mock = MockTransport(redirect("/b").repeating())
        let provider = NetworkProvider<Moved>(mock)
        #expect(try await provider.send(Moved()).statusCode == 302)
        #expect(AnyTarget(Moved()).redirects == .never)
        var endpoint = Endpoint.get("")
        endpoint.redirects = .never
        endpoint.validation = .statusCodes([302])
        let client = HTTPClient(mock, base: Self.origin)
        #expect(try await client.send(endpoint).statusCode == 302)
        #expect(mock.requests.count == 2 && endpoint != .get(""))
    }

    @Test func `policies with the same closure are equal`() {
        var one = RedirectPolicy.follow
        one.decision = { _, next in next }
        let copy = one
        var other = RedirectPolicy.follow
        other.decision = { _, next in next }
        #expect(one == copy && one != other && one != .follow)
    }

    @Test func `a decision cannot carry the first request to another origin`() throws {
        var secrets = RequestSecrets()
        secrets = secrets.adding(headers: [], values: ["t"], credentials: [])
        var request = HTTPRequest(
            method: .post, url: Self.origin, headers: ["Authorization": "t", "X-Key": "k"], body: .data(Data("b".utf8)))
        request.secrets = secrets
        let response = HTTPResponse(statusCode: 302, headers: ["Location": "https://b.test/c"], request: request)
        var policy = RedirectPolicy()
        policy.decision = { response, next in
            var copy = response.request
            (copy.url, copy.method, copy.body) = (next.url, .get, .absent)
            copy.headers["X-New"] = "1"
            return copy
        }
        let next = try Redirect.next(after: response, to: request, policy: policy)
        #expect(next?.headers == ["X-New": "1"] && next?.secrets?.isForeign == true)
        policy.decision = { response, next in
            var next = next
            (next.method, next.body) = (.post, response.request.body)
            return next
        }
        let error = #expect(throws: NetworkError.self) {
            try Redirect.next(after: response, to: request, policy: policy)
        }
        #expect(error?.kind == .redirect)
    }
}
