import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineStreams
@testable import NetworkEngineTesting

/// A call belongs to the session in which it started.
@Suite(.timeLimit(.minutes(5))) struct SessionIdentityTests {
    /// Delays the first request until it's released, and then answers it with a status.
    private final class Held: Transport {
        let entered = OneShot<Void>()
        let leave = OneShot<Void>()
        let first: Int
        let requests = Locked<[HTTPRequest]>([])

        init(first: Int) { self.first = first }

        var credentials: [String?] { requests.withLock { $0.map { $0.headers["Authorization"] } } }

        func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
            requests.withLock { $0.append(request) }
            guard entered.settle(()) else { return HTTPResponse(statusCode: 200, request: request) }
            try await leave.wait()
            return HTTPResponse(statusCode: first, request: request)
        }
    }

    private let post = TestTarget(method: .post, task: .requestData(Data("transfer".utf8)))

    private func refresher() -> TokenRefresher<BearerToken> {
        TokenRefresher(store: InMemoryCredentialStore(BearerToken("first"))) { old, _ in
            BearerToken("renewed " + old.accessToken)
        }
    }

    private func isSignedOut(_ error: NetworkError?) -> Bool {
        guard error?.kind == .authentication, case .signedOut? = error?.underlying as? RefreshFailure else {
            return false
        }
        return true
    }

    @Test(arguments: [AuthorizationRequirement.required, .optional])
    func `a rejected call is not sent again as another user`(
        authorization: AuthorizationRequirement
    ) async throws {
        let (held, refresher) = (Held(first: 401), refresher())
        var target = post
        target.authorization = authorization
        let call = Task { [target] in await NetworkProvider<TestTarget>(held, [refresher]).failure(target) }
        try await held.entered.wait()
        try await refresher.signOut()
        try await refresher.signIn(BearerToken("second"))
        held.leave.settle(())
        #expect(isSignedOut(await call.value))
        #expect(held.credentials == ["Bearer first"])
    }

    @Test func `a retried call is not sent again as another user`() async throws {
        let (held, refresher) = (Held(first: 503), refresher())
        let provider = NetworkProvider<TestTarget>(held, [RetryPolicy(backoff: .constant(.zero)), refresher])
        let call = Task { await provider.failure(TestTarget(authorization: .optional)) }
        try await held.entered.wait()
        try await refresher.signOut()
        try await refresher.signIn(BearerToken("second"))
        held.leave.settle(())
        #expect(isSignedOut(await call.value))
        #expect(held.credentials == ["Bearer first"])
    }

    @Test func `a request has the identity of its own user when another one signs in`() async throws {
        for round in 0..<300 {
            let (refresher, mock) = (refresher(), MockTransport(MockAnswer.status(200).repeating()))
            let provider = NetworkProvider<TestTarget>(mock, [refresher])
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { _ = await provider.failure(TestTarget()) } }
                group.addTask {
                    for _ in 0..<(round % 20) { await Task.yield() }
                    try? await refresher.signIn(BearerToken("second"))
                }
            }
            for request in mock.requests where request.headers["Authorization"] == "Bearer first" {
                #expect(request.secrets?.identities.contains { $0.identity != "Bearer first" } != true)
            }
        }
    }

    @Test func `a call that only reads the cache needs no refresh`() async throws {
        let mock = MockTransport(MockAnswer.status(200).repeating())
        let token = BearerToken("first", expiresAt: .distantPast)
        let refreshes = Locked(0)
        let refresher = TokenRefresher(store: InMemoryCredentialStore(token)) { old, _ in
            refreshes.withLock { $0 += 1 }
            throw URLError(.notConnectedToInternet)
        }
        let client = HTTPClient(mock, [refresher])
        var endpoint = Endpoint.get("/things")
        endpoint.cachePolicy = .cacheOnly
        try await client.send(endpoint)
        #expect(mock.requests.map { $0.headers["Authorization"] } == ["Bearer first"])
        #expect(refreshes.withLock { $0 } == 0)
    }

    /// Delays a call before the refresher.
    private struct Gate: RequestInterceptor {
        let entered = OneShot<Void>()
        let leave = OneShot<Void>()

        func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
            entered.settle(())
            try await leave.wait()
            return request
        }
    }

    @Test func `a call that waited before it got its credential fails after a sign-out`() async throws {
        let (gate, refresher, mock) = (Gate(), refresher(), MockTransport(MockAnswer.status(200).repeating()))
        let call = Task { await NetworkProvider<TestTarget>(mock, [gate, refresher]).failure(post) }
        try await gate.entered.wait()
        try await refresher.signOut()
        try await refresher.signIn(BearerToken("second"))
        gate.leave.settle(())
        #expect(isSignedOut(await call.value))
        #expect(mock.requests.isEmpty)
    }

    @Test func `a call with a callback belongs to the session in which it started`() async throws {
        let (refresher, mock) = (refresher(), MockTransport(MockAnswer.status(200).repeating()))
        let gate = Gate()
        let provider = NetworkProvider<TestTarget>(mock, [gate, refresher])
        let result = OneShot<Result<Data, NetworkError>>()
        provider.data(post, queue: .global()) { result.settle($0) }
        try await refresher.signOut()
        try await refresher.signIn(BearerToken("second"))
        gate.leave.settle(())
        guard case .failure(let error) = try await result.wait() else { return #expect(Bool(false)) }
        #expect(isSignedOut(error))
    }

    @Test func `a call that waits for a refresh fails when the server ends the session`()
        async throws
    {
        let (entered, leave) = (OneShot<Void>(), OneShot<Void>())
        let refresher = TokenRefresher(store: InMemoryCredentialStore(BearerToken("first"))) { _, _ in
            entered.settle(())
            try await leave.wait()
            throw RefreshFailure.sessionExpired
        }
        let held = Held(first: 401)
        let early = Task { await NetworkProvider<TestTarget>(held, [refresher]).failure(post) }
        try await held.entered.wait()
        // Rejected later, in another user's session.
        let mock = MockTransport(.status(401))
        let other = Task { await NetworkProvider<TestTarget>(mock, [refresher]).failure(post) }
        try await entered.wait()
        leave.settle(())
        #expect(await other.value?.kind == .authentication)
        try await refresher.signIn(BearerToken("second"))
        held.leave.settle(())
        #expect(isSignedOut(await early.value))
        #expect(held.credentials == ["Bearer first"])
    }

    @Test func `a call with a credential set by hand belongs to no session`() async throws {
        let (gate, refresher, mock) = (Gate(), refresher(), MockTransport(.status(200)))
        let target = TestTarget(headers: ["Authorization": "Basic abc"])
        let call = Task { await NetworkProvider<TestTarget>(mock, [gate, refresher]).failure(target) }
        try await gate.entered.wait()
        try await refresher.signOut()
        try await refresher.signIn(BearerToken("second"))
        gate.leave.settle(())
        #expect(await call.value == nil)
    }

    @Test func `a credential that replaces another without a sign-out keeps its calls`() async throws {
        let (held, refresher) = (Held(first: 401), refresher())
        let call = Task { await NetworkProvider<TestTarget>(held, [refresher]).failure(post) }
        try await held.entered.wait()
        try await refresher.signIn(BearerToken("stepped up"))
        held.leave.settle(())
        #expect(await call.value == nil)
        #expect(held.credentials == ["Bearer first", "Bearer stepped up"])
    }

    @Test func `pages are not continued as another user`() async throws {
        let (refresher, mock) = (refresher(), MockTransport(MockAnswer.json("[1]").repeating()))
        let client = HTTPClient(mock, [refresher])
        let provider = NetworkProvider<TestTarget>(mock, [refresher])
        var readers = [
            client.pages(of: [Int].self, from: .get("/n"), by: .number()).makeAsyncIterator(),
            provider.pages(of: [Int].self, from: TestTarget(), by: .number()).makeAsyncIterator(),
        ]
        for index in readers.indices { _ = try await readers[index].next() }
        try await refresher.signOut()
        try await refresher.signIn(BearerToken("second"))
        for index in readers.indices {
            var failure: NetworkError?
            do throws(NetworkError) {
                _ = try await readers[index].next()
            } catch {
                failure = error
            }
            #expect(isSignedOut(failure))
        }
        #expect(mock.requests.map { $0.headers["Authorization"] } == ["Bearer first", "Bearer first"])
    }

    @Test func `a first page that failed before a sign-in is loaded by the user who signed in`() async throws {
        let refresher = TokenRefresher(store: InMemoryCredentialStore<BearerToken>(nil)) { old, _ in old }
        let mock = MockTransport(.status(401), .json("[1]"))
        var reader = HTTPClient(mock, [refresher]).pages(of: [Int].self, from: .get("/n"), by: .number())
            .makeAsyncIterator()
        _ = try? await reader.next()
        #expect(mock.requests.count == 1)
        try await refresher.signIn(BearerToken("first"))
        #expect(try await reader.next() == [1])
    }

    @Test func `a stream of events is not continued as another user`() async throws {
        let events = MockAnswer.status(200, headers: ["Content-Type": "text/event-stream"], body: "data: a\n\n")
        let (refresher, mock) = (refresher(), MockTransport(events.repeating()))
        var stream = NetworkProvider<TestTarget>(mock, [refresher]).events(TestTarget())
        stream.retryDelay = .zero
        var listener = stream.makeAsyncIterator()
        for _ in 0..<2 {
            let event = try await listener.next()
            #expect(event?.data == "a")
        }
        try await refresher.signOut()
        try await refresher.signIn(BearerToken("second"))
        var failure: NetworkError?
        do throws(NetworkError) {
            _ = try await listener.next()
        } catch {
            failure = error
        }
        #expect(isSignedOut(failure))
        #expect(mock.requests.map { $0.headers["Authorization"] } == ["Bearer first", "Bearer first"])
    }
}
