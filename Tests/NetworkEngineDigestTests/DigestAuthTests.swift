import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineDigest
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct DigestAuthTests {
    private let digest = DigestAuth(username: "ada", password: "pa ss")

    @Test(arguments: ["MD5", "MD5-sess", "SHA-256", "SHA-256-sess", "SHA-512-256", nil])
    func `a challenge is answered, even if there is only one attempt`(algorithm: String?) async throws {
        let rig = DigestRig { $0.algorithm = algorithm }
        let provider = rig.provider(digest) { $0.attemptLimit = 1 }
        #expect(try await provider.string(TestTarget(path: "/a?b=c%20d")) == "ok")
        #expect(rig.mock.requests.map { $0.headers.contains("Authorization") } == [false, true])
    }

    @Test(arguments: ["MD5", "SHA-256-sess"])
    func `later requests are sent once, with a growing count`(algorithm: String) async throws {
        let rig = DigestRig { $0.algorithm = algorithm }
        for path in ["/a", "/b", "/c?x=1"] { _ = try await rig.provider(digest).send(TestTarget(path: path)) }
        #expect(rig.mock.requests.count == 4 && rig.findings.challenges == 1)
        #expect(rig.findings.answers.map { $0["nc"] } == ["00000001", "00000002", "00000003"])
        let isSession = algorithm.hasSuffix("sess")
        #expect(Set(rig.findings.answers.map { $0["cnonce"] }).count == (isSession ? 1 : 3))
    }

    @Test func `the answer is for the address with the key of an interceptor that comes later`() async throws {
        let rig = DigestRig()
        let key = APIKeyAuth(key: "k", in: .query("key"))
        let provider = NetworkProvider<TestTarget>(rig.mock, [digest, key])
        _ = try await provider.send(TestTarget(path: "/a"))
        #expect(rig.findings.answers.map { $0["uri"] } == ["/v1/a?key=k"])
        #expect(rig.mock.requests.last?.url.query == "key=k")
    }

    @Test func `a server of RFC 2069 gets an answer`() async throws {
        let rig = DigestRig { ($0.qop, $0.algorithm) = (nil, nil) }
        for _ in 1...2 { _ = try await rig.provider(digest).send(TestTarget()) }
        #expect(rig.mock.requests.count == 3)
        #expect(rig.findings.answers.allSatisfy { $0["nc"] == nil && $0["algorithm"] == nil })
    }

    @Test func `a wrong password costs one repetition in each call`() async {
        let rig = DigestRig(password: "another")
        for count in [2, 4] {
            let error = await rig.provider(digest).failure(TestTarget())
            #expect(error?.statusCode == 401 && error?.attempts.count == 2)
            #expect(rig.mock.requests.count == count)
        }
        #expect(digest.spaceCount == 0)
    }

    @Test func `a wrong password that was right before costs one repetition`() async throws {
        let rig = DigestRig(password: "another")
        let right = DigestRig()
        _ = try await right.provider(digest).send(TestTarget())
        #expect(await rig.provider(digest).failure(TestTarget())?.statusCode == 401)
        #expect(rig.mock.requests.count == 2 && rig.findings.rejected == 2)
    }

    @Test func `a nonce that is too old is replaced, and is not a wrong password`() async throws {
        let rig = DigestRig { $0.usesPerNonce = 1 }
        for _ in 1...3 { _ = try await rig.provider(digest) { $0.attemptLimit = 1 }.send(TestTarget()) }
        #expect(rig.findings.accepted == 3 && rig.findings.challenges == 1 && rig.findings.stale == 2)
        #expect(rig.mock.requests.count == 6)
    }

    @Test func `a server that calls every nonce too old is answered three times`() async {
        let rig = DigestRig { $0.usesPerNonce = 0 }
        #expect(await rig.provider(digest).failure(TestTarget())?.statusCode == 401)
        #expect(rig.mock.requests.count == 4 && rig.findings.stale == 3)
    }

    @Test func `a server with another realm for each request is given up`() async {
        let count = Locked(0)
        let mock = MockTransport(
            .handler { _ in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return .status(401, headers: ["WWW-Authenticate": "Digest realm=r\(number), nonce=n, stale=true"])
            }.repeating())
        #expect(await NetworkProvider<TestTarget>(mock, [digest]).failure(TestTarget())?.statusCode == 401)
        #expect(mock.requests.count == 5)
    }

    @Test func `the next nonce of a response is used`() async throws {
        let rig = DigestRig { ($0.sendsNextNonce, $0.usesPerNonce) = (true, 1) }
        for _ in 1...3 { _ = try await rig.provider(digest).send(TestTarget()) }
        #expect(rig.mock.requests.count == 4)
        #expect(rig.findings.answers.map { $0["nonce"] } == ["n1=", "n2=", "n3="])
        #expect(rig.findings.answers.allSatisfy { $0["nc"] == "00000001" })
    }

    @Test func `a session survives the next nonce`() async throws {
        let rig = DigestRig { $0.algorithm = "MD5-sess" }
        _ = try await rig.provider(digest).send(TestTarget())
        let first = try #require(rig.findings.answers.first)
        let mock = MockTransport(
            .status(200, headers: ["Authentication-Info": "nextnonce=\"m\""]), .status(200))
        for _ in 1...2 { _ = try await NetworkProvider<TestTarget>(mock, [digest]).send(TestTarget()) }
        let last = try #require(mock.requests.last?.headers["Authorization"])
        let (nonce, clientNonce) = (try #require(first["nonce"]), try #require(first["cnonce"]))
        let key = MD5.hexadecimal(of: "\(MD5.hexadecimal(of: "ada:things:pa ss")):\(nonce):\(clientNonce)")
        let message = MD5.hexadecimal(of: "GET:/v1/things")
        #expect(last.contains(MD5.hexadecimal(of: "\(key):m:00000001:\(clientNonce):auth:\(message)")))
    }

    @Test func `a right proof of the server is accepted`() async throws {
        for algorithm in ["MD5", "SHA-256-sess"] {
            let rig = DigestRig { ($0.algorithm, $0.proves) = (algorithm, true) }
            #expect(try await rig.provider(digest).string(TestTarget()) == "ok")
        }
    }

    @Test func `a wrong proof of the server fails the call, unless proofs are not checked`() async throws {
        let rig = DigestRig { $0.provesWrongly = true }
        let error = await rig.provider(digest).failure(TestTarget())
        #expect(error?.kind == .authentication && error?.statusCode == 200)
        var lenient = digest
        lenient.checksServer = false
        #expect(try await rig.provider(lenient).string(TestTarget()) == "ok")
    }

    @Test func `the user name is hashed if the server wants that`() async throws {
        let rig = DigestRig { $0.parameters = "userhash=true" }
        _ = try await rig.provider(digest).send(TestTarget())
        let answer = try #require(rig.findings.answers.first)
        #expect(answer["username"] == MD5.hexadecimal(of: "ada:things") && answer["userhash"] == "true")
    }

    @Test func `a challenge beside others is answered, with the strongest algorithm`() async throws {
        let authority = DigestRig { $0.algorithm = "SHA-256" }.authority
        let mock = MockTransport(
            .handler { request in
                let decision = authority.decide(
                    method: request.method, target: request.requestTarget,
                    authorization: request.headers["Authorization"])
                var headers: HTTPHeaders = ["WWW-Authenticate": "Basic realm=x, Digest realm=x, nonce=old"]
                for value in decision.headers.values(for: "WWW-Authenticate") {
                    headers.add(value, for: "WWW-Authenticate")
                }
                return .status(decision.status, headers: headers)
            }.repeating())
        _ = try await NetworkProvider<TestTarget>(mock, [digest]).send(TestTarget())
        #expect(authority.findings.accepted == 1)
    }

    @Test(arguments: ["Basic realm=x", "Digest realm=x, nonce=n, algorithm=SHA-1", nil])
    func `a 401 without a challenge to answer is the result`(field: String?) async {
        let mock = MockTransport(.status(401, headers: field.map { ["WWW-Authenticate": $0] } ?? [:]).repeating())
        #expect(await NetworkProvider<TestTarget>(mock, [digest]).failure(TestTarget())?.statusCode == 401)
        #expect(mock.requests.count == 1)
    }

    @Test func `an Authorization that is set by hand stays, and its rejection is the result`() async {
        let rig = DigestRig()
        let error = await rig.provider(digest).failure(TestTarget(headers: ["authorization": "Digest mine"]))
        #expect(error?.statusCode == 401)
        #expect(rig.mock.requests.map { $0.headers["Authorization"] } == ["Digest mine"])
    }

    @Test func `a target without credentials gets no answer`() async throws {
        let rig = DigestRig()
        _ = try await rig.provider(digest).send(TestTarget())
        #expect(await rig.provider(digest).failure(TestTarget(authorization: .anonymous))?.statusCode == 401)
        #expect(rig.mock.requests.map { $0.headers.contains("Authorization") } == [false, true, false])
    }

    @Test func `a challenge is not an attempt for a retry policy`() async throws {
        let authority = DigestAuthority()
        let failures = Locked(1)
        let mock = MockTransport(
            .handler { request in
                let isFailing = failures.withLock { failures in
                    failures -= 1
                    return failures == -1
                }
                return isFailing ? .status(503) : try await authority.answer(to: request)
            }.repeating())
        let provider = NetworkProvider<TestTarget>(mock, [RetryPolicy(backoff: .constant(.zero)), digest]) {
            $0.attemptLimit = 2
        }
        _ = try await provider.send(TestTarget())
        // The challenge, the answer that encounters a failure, and its retry.
        #expect(mock.requests.count == 3 && authority.findings.accepted == 1)
    }

    @Test func `an answer that was lost is repeated with another count`() async throws {
        let authority = DigestAuthority()
        let mock = MockTransport(
            .handler { try await authority.answer(to: $0) },
            .failure(.lostBeforeResponse),
            .handler { try await authority.answer(to: $0) })
        let provider = NetworkProvider<TestTarget>(mock, [RetryPolicy(backoff: .constant(.zero)), digest])
        _ = try await provider.send(TestTarget())
        #expect(authority.findings.answers.map { $0["nc"] } == ["00000002"])
    }

    @Test func `no printed form shows the password`() {
        var text = "\(digest) \(String(reflecting: digest))"
        dump(digest, to: &text)
        #expect(!text.contains("pa ss") && !text.contains("ada"))
    }
}
