import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The refresher in an engine over a scripted transport.
@Suite(.timeLimit(.minutes(5))) struct TokenRefresherTests {
    private let rig = RefreshRig()
    private let target = TestTarget()

    @Test(arguments: [1, 3])
    func `a rejected call is repeated after a refresh, also with a limit of one attempt`(limit: Int) async throws {
        let provider = rig.provider([rig.refresher()]) { $0.attemptLimit = limit }
        _ = try await provider.send(target)
        #expect(rig.tokens == ["Bearer old", "Bearer new"])
        #expect(rig.store.current == BearerToken("new", refreshToken: "r2"))
    }

    @Test func `the repetition after a refresh does not count as an attempt of a retry policy`() async throws {
        rig.valid.withLock { $0 = [] }
        let mock = MockTransport(.status(503), .status(503), .status(401), .status(200))
        let policy = RetryPolicy(backoff: .constant(.zero))
        _ = try await NetworkProvider<TestTarget>(mock, [policy, rig.refresher()]).send(target)
        #expect(mock.requests.count == 4)
    }

    @Test func `a refresher inside another interceptor repeats rejected calls`() async throws {
        struct Wrapper: RequestInterceptor {
            let inner: TokenRefresher<BearerToken>
            func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
                try await inner.adapt(request, context: context)
            }
            func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision {
                await inner.retry(after: error, context: context)
            }
        }
        _ = try await rig.provider([Wrapper(inner: rig.refresher())]) { $0.attemptLimit = 1 }.send(target)
        #expect(rig.tokens.count == 2)
    }

    @Test func `all waiting calls get the same error, and the next call starts another refresh`() async throws {
        struct Down: Error {}
        let fails = Locked(true)
        let refresher = rig.refresher { _, _ in
            if fails.withLock({ $0 }) { throw Down() }
            return BearerToken("new")
        }
        let provider = rig.provider([refresher])
        let error = await provider.failure(target)
        #expect(error?.kind == .authentication)
        #expect(error?.statusCode == 401)
        guard case .failed(is Down)? = error?.underlying as? RefreshFailure else { return #expect(Bool(false)) }
        fails.withLock { $0 = false }
        _ = try await provider.send(target)
        #expect(rig.refreshCount == 2)
    }

    @Test func `when all waiting calls are canceled, the refresh continues and is stored`() async throws {
        let (entered, leave) = (OneShot<Void>(), OneShot<Void>())
        let refresher = rig.refresher { _, _ in
            entered.settle(())
            try await leave.wait()
            return BearerToken("new")
        }
        let call = Task { [provider = rig.provider([refresher])] in await provider.failure(target) }
        try await entered.wait()
        call.cancel()
        #expect(await call.value?.kind == .cancelled)
        leave.settle(())
        _ = try await rig.provider([refresher]).send(target)
        #expect(rig.refreshCount == 1)
        #expect(rig.store.current == BearerToken("new"))
    }

    @Test func `a refresh that hangs ends at its timeout, and the next call starts another`() async throws {
        let clock = TestClock()
        var options = RefreshOptions()
        options.clock = clock
        let hangs = Locked(true)
        let refresher = rig.refresher(options) { _, _ in
            if hangs.withLock({ $0 }) { try await OneShot<Void>().wait() }
            return BearerToken("new")
        }
        async let error = rig.provider([refresher]).failure(target)
        await clock.untilSleeping()
        hangs.withLock { $0 = false }
        clock.advance(by: .seconds(30))
        guard case .timedOut? = await error?.underlying as? RefreshFailure else { return #expect(Bool(false)) }
        _ = try await rig.provider([refresher]).send(target)
    }

    @Test func `the deadline of a call ends its wait for a refresh`() async {
        let clock = TestClock()
        let entered = OneShot<Void>()
        let refresher = rig.refresher { _, _ in
            entered.settle(())
            try await OneShot<Void>().wait()
            return BearerToken("new")
        }
        let provider = rig.provider([refresher]) {
            $0.clock = clock
            $0.deadline = .seconds(5)
        }
        async let error = provider.failure(target)
        try? await entered.wait()
        clock.advance(by: .seconds(5))
        #expect(await error?.transportFailure == .timeout(.deadline))
    }

    @Test func `a refresh through the same provider has no credential and does not wait for itself`()
        async throws
    {
        rig.mock.on(.post, "/token").answers(.json(#"{"token": "new"}"#))
        let mock = MockTransport()
        mock.on(.post, "/v1/token").answers(.json(#"{"token": "new"}"#))
        mock.on(.get, headers: ["Authorization": "Bearer new"]).answers(.status(200))
        mock.on(.get).answers(.status(401))
        struct Answer: Decodable { let token: String }
        let refresher = rig.refresher { _, context in
            let answer: Answer = try await context.request(TestTarget(path: "/token", method: .post))
            return BearerToken(answer.token)
        }
        _ = try await NetworkProvider<TestTarget>(mock, [refresher]).send(target)
        #expect(mock.requests.map { $0.headers["Authorization"] } == ["Bearer old", nil, "Bearer new"])
    }

    @Test func `a 401 from the token endpoint starts no refresh and ends no session`() async throws {
        let refresher = rig.refresher { _, context in
            _ = try await context.send(HTTPRequest(method: .post, url: API.base.appendingPathComponent("token")))
            return BearerToken("new")
        }
        let error = await rig.provider([refresher]).failure(target)
        #expect(error?.kind == .authentication && error?.endsSession == false)
        #expect(rig.refreshCount == 1 && rig.expirations.withLock { $0 } == 0 && rig.store.current != nil)
        #expect(try await refresher.isSignedIn)
    }

    @Test func `an app says which answer of its token endpoint ends the session`() async {
        var options = RefreshOptions()
        options.isSessionOver = { ($0 as? NetworkError)?.statusCode == 401 }
        let refresher = rig.refresher(options) { _, context in
            _ = try await context.send(HTTPRequest(method: .post, url: API.base.appendingPathComponent("token")))
            return BearerToken("new")
        }
        let error = await rig.provider([refresher]).failure(target)
        guard case .sessionExpired? = error?.underlying as? RefreshFailure else { return #expect(Bool(false)) }
        #expect(error?.endsSession == true)
        #expect(rig.refreshCount == 1 && rig.expirations.withLock { $0 } == 1 && rig.store.current == nil)
    }

    private struct AppFailure: Error {}

    @Test(arguments: [
        RefreshFailure.excessiveRefresh, .timedOut, .expiredOnArrival, .declined, .failed(AppFailure()),
        .failed(NetworkError(kind: .offline)), .failed(NetworkError(kind: .cancelled)),
    ])
    func `no other failure of a refresh ends the session`(failure: RefreshFailure) async throws {
        let refresher = rig.refresher { _, _ in throw failure }
        _ = rig.store.save(BearerToken("old", expiresIn: .seconds(1)), replacing: rig.store.current)
        let error = await rig.provider([refresher]).failure(target)
        #expect(error?.kind == .authentication && error?.endsSession == false)
        #expect(try await refresher.isSignedIn)
    }

    @Test func `a closure that has no user ends the session`() async throws {
        let refresher = rig.refresher { _, _ in throw RefreshFailure.signedOut }
        let error = await rig.provider([refresher]).failure(target)
        #expect(error?.endsSession == true)
        #expect(try await !refresher.isSignedIn)
    }

    @Test func `a second rejection reaches the caller`() async {
        rig.valid.withLock { $0 = [] }
        let error = await rig.provider([rig.refresher()]).failure(target)
        #expect(error?.kind == .status)
        #expect(error?.statusCode == 401)
        #expect(rig.tokens.count == 2)
        #expect(rig.refreshCount == 1)
    }

    @Test func `a server that rejects everything gets a limited number of refreshes`() async {
        rig.valid.withLock { $0 = [] }
        var options = RefreshOptions()
        options.excessWindow = .seconds(86_400)
        let provider = rig.provider([rig.refresher(options)])
        var last: NetworkError?
        for _ in 0..<10 { last = await provider.failure(target) }
        #expect(rig.refreshCount == 5)
        guard case .excessiveRefresh? = last?.underlying as? RefreshFailure else { return #expect(Bool(false)) }
    }

    @Test func `a credential that expires soon is refreshed before it is sent`() async throws {
        _ = rig.store.save(BearerToken("old", expiresIn: .seconds(10)), replacing: rig.store.current)
        _ = try await rig.provider([rig.refresher()]).send(target)
        #expect(rig.tokens == ["Bearer new"])
    }

    @Test func `expiry is measured with the monotonic clock`() async throws {
        let clock = TestClock()
        let wall = Locked(Date(timeIntervalSince1970: 1_000_000))
        var options = RefreshOptions()
        options.clock = clock
        options.now = { wall.withLock { $0 } }
        rig.valid.withLock { $0 = ["old", "new"] }
        let expiry = Date(timeIntervalSince1970: 1_003_600)
        _ = rig.store.save(BearerToken("old", expiresAt: expiry), replacing: rig.store.current)
        let provider = rig.provider([rig.refresher(options)])
        _ = try await provider.send(target)
        wall.withLock { $0 += 86_400 }
        _ = try await provider.send(target)
        #expect(rig.refreshCount == 0)
        clock.advance(by: .seconds(3600))
        _ = try await provider.send(target)
        #expect(rig.tokens == ["Bearer old", "Bearer old", "Bearer new"])
    }

    @Test(arguments: [
        (nil, true), ("Bearer", true), (#"Bearer realm="x", error="invalid_token""#, true),
        (#"Bearer error="insufficient_scope""#, false), ("Bearer error=invalid_request", false),
        (#"Bearer realm="an, error=invalid_request""#, true), (#"Bearer error = "insufficient_scope""#, false),
        (#"Bearer realm="x\"y", error="insufficient_scope""#, false),
        (#"Bearer realm="x\", error=\"insufficient_scope""#, true), (#"Bearer error="invalid\_token""#, true),
        (#"Bearer realm="x" error="insufficient_scope""#, false),
        ("Negotiate a==, Bearer error=invalid_request", false),
    ])
    func `the challenge decides whether another credential would help`(challenge: String?, isRenewed: Bool) async {
        let headers: HTTPHeaders = challenge.map { ["WWW-Authenticate": $0] } ?? [:]
        let mock = MockTransport(.status(401, headers: headers), .status(200))
        _ = await NetworkProvider<TestTarget>(mock, [rig.refresher()]).failure(target)
        #expect(rig.refreshCount == (isRenewed ? 1 : 0))
    }

    @Test(arguments: [403, 407, 400, 500])
    func `no other status starts a refresh`(status: Int) async {
        let provider = NetworkProvider<TestTarget>(MockTransport(.status(status)), [rig.refresher()])
        #expect(await provider.failure(target)?.statusCode == status)
        #expect(rig.refreshCount == 0)
    }

    @Test func `a credential is sent only to its origins`() async throws {
        let mock = MockTransport(MockAnswer.status(200).repeating())
        let provider = NetworkProvider<TestTarget>(mock, [rig.refresher()])
        for path in [
            "/a", "http://api.test:80/b", "http://evil.test/c", "https://api.test/d", "http://api.test.evil/e",
        ] {
            _ = try await provider.send(TestTarget(path: path))
        }
        #expect(mock.requests.map { $0.headers.contains("Authorization") } == [true, true, false, false, false])
        _ = try await provider.send(URLRequest(url: API.base))
        #expect(mock.requests.last?.headers["Authorization"] == nil)
    }

    @Test func `no printed form shows a secret`() async {
        let token = BearerToken("s3cret", refreshToken: "s3cret")
        var dumped = ""
        dump(token, to: &dumped)
        let error = await rig.provider([rig.refresher { _, _ in throw RefreshFailure.sessionExpired }]).failure(target)
        for text in ["\(token)", String(reflecting: token), dumped, error?.description ?? "old"] {
            #expect(!text.contains("s3cret") && !text.contains("old"))
        }
    }

    @Test func `a rejection by another origin starts no refresh`() async {
        let mock = MockTransport()
        mock.on(.get, "http://api.test/**").answers(.status(302, headers: ["Location": "http://other.test/"]))
        mock.on(.get, "http://other.test/**").answers(.status(401))
        #expect(await NetworkProvider<TestTarget>(mock, [rig.refresher()]).failure(target)?.statusCode == 401)
        #expect(mock.requests.last?.headers["Authorization"] == nil)
        #expect(rig.refreshCount == 0)
    }

    @Test func `a refresh that ends after a sign-out signs no user in`() async throws {
        let (entered, leave) = (OneShot<Void>(), OneShot<Void>())
        let refresher = rig.refresher { _, _ in
            entered.settle(())
            try await leave.wait()
            return BearerToken("new")
        }
        let call = Task { [provider = rig.provider([refresher])] in await provider.failure(target) }
        try await entered.wait()
        try await refresher.signOut()
        leave.settle(())
        guard case .signedOut? = await call.value?.underlying as? RefreshFailure else { return #expect(Bool(false)) }
        #expect(await rig.provider([refresher]).failure(target)?.kind == .authentication)
        #expect(rig.store.current == nil)
        #expect(rig.expirations.withLock { $0 } == 0)
    }

    @Test func `a sign-out cancels a refresh, which sends nothing after it`() async throws {
        let (entered, ended) = (OneShot<Void>(), OneShot<NetworkErrorKind?>())
        let refresher = rig.refresher { _, context in
            entered.settle(())
            try? await OneShot<Void>().wait()
            do {
                _ = try await context.send(HTTPRequest(method: .post, url: API.base))
            } catch {
                ended.settle((error as? NetworkError)?.kind)
                throw error
            }
            return BearerToken("new")
        }
        let call = Task { [provider = rig.provider([refresher])] in await provider.failure(target) }
        try await entered.wait()
        try await refresher.signOut()
        let kind = try await ended.wait()
        #expect(kind == .cancelled)
        #expect(await call.value?.endsSession == true)
        #expect(rig.tokens == ["Bearer old"])
    }

    @Test func `a refresh closure that blocks, or that calls the refresher, does not deadlock`() async throws {
        let refresher = rig.refresher { _, _ in
            Self.block()
            return BearerToken("new")
        }
        _ = try await rig.provider([refresher]).send(target)
        let holder = OneShot<TokenRefresher<BearerToken>>()
        let signedIn = OneShot<Void>()
        let reentrant = rig.refresher { _, _ in
            try await holder.wait().signIn(BearerToken("new"))
            signedIn.settle(())
            return BearerToken("other")
        }
        holder.settle(reentrant)
        _ = rig.store.save(BearerToken("old"), replacing: rig.store.current)
        _ = try await rig.provider([reentrant]).send(target)
        try await signedIn.wait()
        #expect(rig.store.current == BearerToken("new"))
    }

    private static func block() { Thread.sleep(forTimeInterval: 0.001) }

    @Test func `a one-shot body is not sent again`() async throws {
        let stream = BodyStream(isReplayable: false) { AsyncThrowingStream { $0.finish() } }
        var configuration = NetworkConfiguration()
        configuration.transport = rig.mock
        let engine = RequestEngine(interceptors: [rig.refresher()], configuration: configuration)
        let request = HTTPRequest(method: .post, url: API.base, body: .stream(stream))
        let error = await #expect(throws: NetworkError.self) {
            try await engine.value(of: request, engine.options(for: target), decoding: .response)
        }
        #expect(error?.statusCode == 401)
        #expect(rig.tokens == ["Bearer old"])
    }

    @Test func `a target says whether it needs the credential`() async throws {
        let refresher = rig.refresher()
        try await refresher.signOut()
        let mock = MockTransport(MockAnswer.status(200).repeating())
        let provider = NetworkProvider<TestTarget>(mock, [refresher])
        #expect(await provider.failure(TestTarget(authorization: .required))?.kind == .authentication)
        _ = try await provider.send(TestTarget(authorization: .optional))
        _ = try await provider.send(TestTarget(authorization: .anonymous))
        try await refresher.signIn(BearerToken("t"))
        _ = try await provider.send(TestTarget(authorization: .optional))
        _ = try await provider.send(TestTarget(authorization: .anonymous))
        #expect(mock.requests.map { $0.headers["Authorization"] } == [nil, nil, "Bearer t", nil])
    }

    @Test func `an Authorization set by hand is not replaced, and its rejection reaches the caller`() async {
        let byHand = TestTarget(headers: ["Authorization": "Basic abc"])
        #expect(await rig.provider([rig.refresher()]).failure(byHand)?.statusCode == 401)
        #expect(rig.tokens == ["Basic abc"])
    }

    @Test func `a call that is canceled during the retry decision ends as canceled`() async throws {
        let entered = OneShot<Void>()
        let refresher = rig.refresher { _, _ in
            entered.settle(())
            try await OneShot<Void>().wait()
            return BearerToken("new")
        }
        let call = Task { [provider = rig.provider([refresher])] in await provider.failure(target) }
        try await entered.wait()
        call.cancel()
        #expect(await call.value?.kind == .cancelled)
    }
}
