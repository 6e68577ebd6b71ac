import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineDigest
@testable import NetworkEngineTesting

/// The requests that get a Digest response, and the challenge that it answers.
@Suite(.timeLimit(.minutes(5))) struct DigestOriginTests {
    private let digest = DigestAuth(username: "ada", password: "pa ss")

    /// Redirects some addresses, and requires authentication for the others.
    private func mock(_ authorities: [String: DigestAuthority], redirects: [String: String]) -> MockTransport {
        MockTransport(
            .handler { request in
                if let location = redirects[request.url.absoluteString] {
                    return .status(307, headers: ["Location": location])
                }
                let name = request.url.host == "api.test" ? request.url.pathComponents.last : request.url.host
                return try await authorities[name ?? ""]?.answer(to: request) ?? .status(204)
            }.repeating())
    }

    @Test func `each hop of a redirect gets an answer for its address`() async throws {
        let authority = DigestAuthority()
        let mock = MockTransport(
            .handler { request in
                let decision = authority.decide(
                    method: request.method, target: request.requestTarget,
                    authorization: request.headers["Authorization"])
                let isFirst = request.url.lastPathComponent == "first"
                if decision.status == 200, isFirst { return .status(302, headers: ["Location": "/second?x=1"]) }
                return .status(decision.status, headers: decision.headers)
            }.repeating())
        _ = try await NetworkProvider<TestTarget>(mock, [digest]).send(TestTarget(path: "/first"))
        #expect(authority.findings.answers.map { $0["uri"] } == ["/v1/first", "/second?x=1"])
        #expect(authority.findings.accepted == 2 && authority.findings.duplicates == 0)
    }

    @Test func `another origin gets no answer`() async throws {
        let authority = DigestAuthority()
        let mock = mock(
            ["things": authority, "other.test": DigestAuthority()],
            redirects: ["http://api.test/v1/away": "https://other.test/things"])
        let provider = NetworkProvider<TestTarget>(mock, [digest])
        _ = try await provider.send(TestTarget())
        #expect(await provider.failure(TestTarget(path: "/away"))?.statusCode == 401)
        #expect(await provider.failure(TestTarget(path: "https://other.test/things"))?.statusCode == 401)
        let foreign = mock.requests.filter { $0.url.host == "other.test" }
        #expect(foreign.count == 2 && foreign.allSatisfy { !$0.headers.contains("Authorization") })
    }

    @Test func `a named origin gets answers, and the base does not`() async throws {
        let other = try #require(URL(string: "https://other.test"))
        let named = DigestAuth(username: "ada", password: "pa ss", origins: [other])
        let mock = mock(["things": DigestAuthority(), "other.test": DigestAuthority()], redirects: [:])
        let provider = NetworkProvider<TestTarget>(mock, [named])
        _ = try await provider.send(TestTarget(path: "https://other.test/things"))
        #expect(await provider.failure(TestTarget())?.statusCode == 401)
        #expect(mock.requests.filter { $0.url.host == "api.test" }.map(\.headers) == [[:]])
    }

    @Test func `two realms on the way of one call are both answered`() async throws {
        let (first, second) = (DigestAuthority(realm: "1"), DigestAuthority(realm: "2"))
        let mock = MockTransport(
            .handler { request in
                let isFirst = request.url.lastPathComponent == "first"
                let decision = (isFirst ? first : second).decide(
                    method: request.method, target: request.requestTarget,
                    authorization: request.headers["Authorization"])
                if decision.status == 200, isFirst { return .status(302, headers: ["Location": "second"]) }
                return .status(decision.status, headers: decision.headers)
            }.repeating())
        _ = try await NetworkProvider<TestTarget>(mock, [digest]) { $0.attemptLimit = 1 }
            .send(TestTarget(path: "/first"))
        #expect(second.findings.accepted == 1 && digest.spaceCount == 2)
    }

    @Test func `a domain limits the addresses that get an answer at once`() async throws {
        let authority = DigestRig { $0.parameters = "domain=\"/v1/in https://other.test/ /v1/also\"" }.authority
        let mock = MockTransport(
            .handler { request in
                request.url.path.hasPrefix("/v1/out") ? .status(204) : try await authority.answer(to: request)
            }.repeating())
        let provider = NetworkProvider<TestTarget>(mock, [digest])
        for path in ["/in", "/in/a", "/out", "/also"] { _ = try await provider.send(TestTarget(path: path)) }
        #expect(mock.requests.map { $0.headers.contains("Authorization") } == [false, true, true, false, true])
    }

    @Test(arguments: [false, true])
    func `100 concurrent calls never repeat the count of a nonce`(sharesNonce: Bool) async throws {
        let rig = DigestRig { $0.sharesNonce = sharesNonce }
        let provider = rig.provider(digest)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 { group.addTask { _ = try await provider.send(TestTarget(path: "/\(number)")) } }
            try await group.waitForAll()
        }
        for number in 0..<20 { _ = try await provider.send(TestTarget(path: "/later/\(number)")) }
        #expect(rig.findings.accepted == 120 && rig.findings.duplicates == 0)
        #expect(rig.findings.rejected == 0 && rig.findings.stale == 0)
        #expect(digest.spaceCount == 1)
    }

    @Test func `concurrent calls to a server with nonces for one use all succeed`() async throws {
        let rig = DigestRig { ($0.usesPerNonce, $0.sendsNextNonce) = (1, true) }
        let provider = rig.provider(digest)
        _ = try await provider.send(TestTarget())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { _ = try await provider.send(TestTarget()) } }
            try await group.waitForAll()
        }
        #expect(rig.findings.accepted == 51 && rig.findings.rejected == 0)
    }

    @Test func `the uses of as many nonces are counted as the limit says`() async throws {
        let digest = DigestAuth(
            username: "ada", password: "pa ss", spaces: DigestSpaces(limit: 2, nonceLimit: 2), clientNonce: { "c" })
        let rigs = [DigestRig(), DigestRig()]
        for _ in 0..<3 {
            for (rig, host) in zip(rigs, ["a", "b"]) {
                let target = TestTarget(baseURL: try #require(URL(string: "https://\(host).test")))
                _ = try await rig.provider(digest).send(target)
            }
        }
        #expect(rigs.allSatisfy { $0.findings.accepted == 3 && $0.findings.duplicates == 0 })
    }

    @Test func `the number of known spaces is limited`() async throws {
        let digest = DigestAuth(
            username: "ada", password: "pa ss", spaces: DigestSpaces(limit: 2, nonceLimit: 2), clientNonce: { "c" })
        for host in ["a", "b", "c", "d"] {
            let target = TestTarget(baseURL: try #require(URL(string: "https://\(host).test")))
            _ = try await DigestRig().provider(digest).send(target)
        }
        #expect(digest.spaceCount == 2)
    }
}
