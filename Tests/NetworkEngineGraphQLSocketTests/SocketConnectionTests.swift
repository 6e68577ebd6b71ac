import Foundation
import NetworkEngineGraphQL
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineGraphQLSocket
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

/// How the connection below subscriptions opens, gets lost and ends.
@Suite(.timeLimit(.minutes(10))) struct SocketConnectionTests {
    @Test func `a lost connection is opened again, and the server gets all subscriptions again`() async throws {
        let payloads = Locked<[[String: GraphQLVariable]?]>([])
        let calls = Locked(0)
        let serve: @Sendable (Int) -> SocketRig.Connection = { number in
            { peer in
                let initialization = try await peer.expect("connection_init")
                payloads.withLock { $0.append(initialization.payload) }
                try await peer.send(#"{"type":"connection_ack"}"#)
                for _ in 0..<2 {
                    let message = try await peer.expect("subscribe")
                    let count = message.query?.contains("first") == true ? number : number + 10
                    try await peer.next(message.id ?? "", count)
                    if number == 2 { try await peer.complete(message.id ?? "") }
                }
                if number < 2 { await peer.socket.close(code: 1011) } else { await peer.waitForEnd() }
            }
        }
        let rig = SocketRig(serving: (0..<3).map(serve)) { options in
            options.payload = { ["token": .int(calls.increment())] }
        }
        let first = Task { try await rig.counts("subscription first { count }").all() }
        let second = Task { try await rig.counts("subscription second { count }").all() }
        for _ in 0..<2 { await rig.passPause() }
        #expect(try await first.value == [0, 1, 2])
        #expect(try await second.value == [10, 11, 12])
        #expect(payloads.withLock { $0 } == [["token": 1], ["token": 2], ["token": 3]])
    }

    @Test func `a completed subscription is not sent to the next connection`() async throws {
        let queries = Locked<[String?]>([])
        let rig = SocketRig(serving: [
            { peer in
                try await peer.acknowledge()
                for _ in 0..<2 {
                    let message = try await peer.expect("subscribe")
                    let id = message.id ?? ""
                    if message.query == "done" { try await peer.complete(id) } else { try await peer.next(id, 1) }
                }
                await peer.socket.close(code: 1011)
            },
            { peer in
                try await peer.acknowledge()
                let message = try await peer.expect("subscribe")
                queries.withLock { $0.append(message.query) }
                try await peer.complete(message.id ?? "")
                while let more = try await peer.receive() { queries.withLock { $0.append(more.query) } }
            },
        ])
        let open = Task { try await rig.counts("open").all() }
        #expect(try await rig.counts("done").all() == [])
        await rig.passPause()
        #expect(try await open.value == [1])
        #expect(queries.withLock { $0 } == ["open"])
    }

    @Test func `a server that does not acknowledge in time is tried again, and then the subscription fails`()
        async throws
    {
        let silent: SocketRig.Connection = { peer in await peer.waitForEnd() }
        let rig = SocketRig(serving: [silent, silent]) { $0.reconnecting.failureLimit = 2 }
        let task = Task { try await rig.counts().all() }
        for duration in [Duration.seconds(10), .seconds(1), .seconds(10)] { await rig.passPause(duration) }
        let error = await #expect(throws: GraphQLError.self) { try await task.value }
        #expect(error?.kind == .network && error?.networkError?.kind == .timeout)
        #expect(rig.transport.requests.count == 2)
    }

    @Test(arguments: [4400, 4401, 4403, 4406, 4408, 4409, 4429, 4500, 1000, 1002, 3000] as [UInt16])
    func `a code of the protocol ends the subscriptions and is in the error`(code: UInt16) async throws {
        let refuse: SocketRig.Connection = { peer in
            try await peer.expect("connection_init")
            await peer.socket.close(code: code, reason: "Forbidden")
        }
        let rig = SocketRig(refuse)
        let error = await #expect(throws: GraphQLError.self) { _ = try await rig.counts().all() }
        let close = error?.networkError?.underlying as? WebSocketClose
        #expect(error?.kind == .network && rig.transport.requests.count == 1)
        guard code != 1000 else { return }
        #expect(close == WebSocketClose(code: code, reason: "Forbidden"))
        #expect(error?.networkError?.description.contains("\(code)") == true)
        #expect("\(error as Any)".contains("Forbidden") == false)
    }

    @Test func `an app can let a refused connection be tried again`() async throws {
        let rig = SocketRig(serving: [
            { peer in await peer.socket.close(code: 4401) },
            { peer in
                try await peer.complete(peer.start())
                await peer.waitForEnd()
            },
        ]) {
            $0.reconnecting.closeCodes.insert(4401)
        }
        let task = Task { try await rig.counts().all() }
        await rig.passPause()
        #expect(try await task.value == [])
    }

    @Test(arguments: [nil, "graphql-ws"]) func `a server that speaks another protocol is an error`(name: String?)
        async throws
    {
        let rig = SocketRig(protocol: name, serving: [{ peer in await peer.waitForEnd() }])
        let error = await #expect(throws: GraphQLError.self) { _ = try await rig.counts().all() }
        #expect(error?.networkError?.transportFailure == .protocolViolation)
        #expect(rig.transport.requests.count == 1)
    }

    @Test func `an error of the payload ends the subscriptions`() async throws {
        struct SignedOut: Error {}
        let rig = SocketRig(serving: [{ peer in await peer.waitForEnd() }]) { $0.payload = { throw SignedOut() } }
        let error = await #expect(throws: GraphQLError.self) { _ = try await rig.counts().all() }
        #expect(error?.networkError?.underlying is SignedOut)
        #expect(rig.transport.requests.count == 1)
    }

    @Test func `the end of a connection without completion is an error`() async throws {
        let rig = SocketRig { peer in
            try await peer.next(peer.start(), 1)
            await peer.socket.close(code: 1000)
        }
        var values = rig.counts().makeAsyncIterator()
        #expect(try await values.next() == Count(count: 1))
        let error = await values.failure()
        #expect(error?.networkError?.kind == .connection)
        #expect(try await values.next() == nil)
    }

    @Test func `a refused handshake is an error with its response`() async throws {
        var configuration = NetworkConfiguration()
        configuration.transport = MockTransport(.status(403))
        let httpClient = HTTPClient(baseURL: API.base, configuration: configuration)
        let client = GraphQLClient(httpClient: httpClient, subscriptions: .webSocket())
        let error = await #expect(throws: GraphQLError.self) {
            _ = try await client.subscribe(to: GraphQLOperation(document: "{ a }"), as: Count.self).all()
        }
        #expect(error?.networkError?.statusCode == 403)
    }

    @Test(arguments: [
        #"{"type":"unknown"}"#, "no JSON", #"{"type":"next","id":"1"}"#, #"{"type":"next","id":"1","payload":[]}"#,
        #"{"type":"connection_init"}"#, "",
    ])
    func `a message that the protocol does not have ends all subscriptions`(text: String) async throws {
        let code = OneShot<UInt16?>()
        let rig = SocketRig { peer in
            _ = try await peer.start()
            try await peer.expect("subscribe")
            try await peer.send(text)
            await peer.waitForEnd()
            code.settle(peer.socket.closeCode)
        }
        let others = Task { try await rig.counts().all() }
        for task in [others, Task { try await rig.counts().all() }] {
            let error = await #expect(throws: GraphQLError.self) { try await task.value }
            #expect(error?.networkError?.transportFailure == .protocolViolation)
        }
        #expect(try await code.wait() == 4400)
        #expect(rig.transport.requests.count == 1)
    }

    @Test(arguments: [
        #"{"type":"next","id":"1","payload":{"data":{}}}"#, #"{"type":"complete","id":"1"}"#, "no JSON",
    ])
    func `a server that sends something else than an acknowledgment is an error`(text: String) async throws {
        let rig = SocketRig { peer in
            try await peer.send(text)
            await peer.waitForEnd()
        }
        let error = await #expect(throws: GraphQLError.self) { _ = try await rig.counts().all() }
        #expect(error?.networkError?.transportFailure == .protocolViolation)
        #expect(rig.transport.requests.count == 1)
    }

    @Test func `responses to an identifier that nothing reads are ignored`() async throws {
        let rig = SocketRig { peer in
            let id = try await peer.start()
            for other in ["", "0", "2", "\(UInt64.max)", "none", String(repeating: "x", count: 100_000)] {
                try await peer.next(other, 9)
                try await peer.send(#"{"type":"error","id":"\#(other)","payload":[]}"#)
                try await peer.complete(other)
            }
            try await peer.send(#"{"type":"connection_ack"}"#)
            try await peer.next(id, 1)
            try await peer.complete(id)
            try await peer.complete(id)
            try await peer.next(id, 2)
            await peer.waitForEnd()
        }
        #expect(try await rig.counts().all() == [1])
    }

    @Test func `a reader that falls behind too far fails, and the other subscriptions continue`() async throws {
        let completed = OneShot<String?>()
        let rig = SocketRig(serving: [
            { peer in
                let slow = try await peer.start()
                try await peer.next(slow, 1)
                let other = try await peer.expect("subscribe").id ?? ""
                for number in 2..<20 { try await peer.next(slow, number) }
                completed.settle(try await peer.expect("complete").id)
                try await peer.next(other, 7)
                try await peer.complete(other)
                await peer.waitForEnd()
            }
        ]) {
            $0.bufferLimit = 5 * 84
        }
        var slow = rig.counts().makeAsyncIterator()
        #expect(try await slow.next() == Count(count: 1))
        #expect(try await rig.counts().all() == [7])
        #expect(try await completed.wait() == "1")
        var seen: [Int?] = []
        var error: GraphQLError?
        while error == nil {
            do throws(GraphQLError) { seen.append(try await slow.next()?.count) } catch let end { error = end }
        }
        #expect(seen == [2, 3, 4, 5, 6] && error?.networkError?.kind == .limit)
        #expect(try await slow.next() == nil)
    }

    /// Sends a count for each subscription until the client ends the connection.
    private static let counting: SocketRig.Connection = { peer in
        try await peer.acknowledge()
        while let message = try await peer.receive() {
            if message.type == "subscribe" { try await peer.next(message.id ?? "", 1) }
        }
    }

    @Test(arguments: [true, false]) func `the next user gets a connection of their own`(wasSignedIn: Bool) async throws
    {
        let session = TokenRefresher(store: InMemoryCredentialStore(wasSignedIn ? BearerToken("ada") : nil)) { old, _ in
            old
        }
        let rig = SocketRig(serving: [Self.counting, Self.counting], interceptors: [session])
        var first = rig.counts().makeAsyncIterator()
        var second = rig.counts().makeAsyncIterator()
        #expect(try await first.next() == Count(count: 1))
        #expect(try await second.next() == Count(count: 1))
        if wasSignedIn { try await session.signOut() }
        try await session.signIn(BearerToken("bob"))
        var third = rig.counts().makeAsyncIterator()
        var fourth = rig.counts().makeAsyncIterator()
        #expect(try await third.next() == Count(count: 1))
        #expect(try await fourth.next() == Count(count: 1))
        let senders = rig.transport.requests.map { $0.headers["Authorization"] }
        #expect(senders == [wasSignedIn ? "Bearer ada" : nil, "Bearer bob"])
        withExtendedLifetime((first, second, third, fourth)) {}
    }

    @Test func `a subscription that begins while another user signs in is not sent as that user`() async throws {
        let session = TokenRefresher(store: InMemoryCredentialStore(BearerToken("ada"))) { old, _ in old }
        let (arrived, released) = (OneShot<Void>(), OneShot<Void>())
        let rig = SocketRig(
            serving: [Self.counting], interceptors: [session, Holding(arrived: arrived, released: released)])
        var first = rig.counts().makeAsyncIterator()
        async let failure = first.failure()
        try await arrived.wait()
        try await session.signOut()
        try await session.signIn(BearerToken("bob"))
        var second = rig.counts().makeAsyncIterator()
        #expect(try await second.next() == Count(count: 1))
        released.settle(())
        #expect(await failure?.networkError?.kind == .authentication)
        #expect(rig.transport.requests.map { $0.headers["Authorization"] } == ["Bearer bob"])
        withExtendedLifetime(second) {}
    }

    @Test func `a subscription of nobody goes on after a first sign-in`() async throws {
        let session = TokenRefresher(store: InMemoryCredentialStore<BearerToken>(nil)) { old, _ in old }
        let rig = SocketRig(
            serving: [
                { peer in
                    try await peer.next(try await peer.start(), 1)
                    await peer.socket.close(code: 1011)
                },
                { peer in
                    let id = try await peer.start()
                    try await peer.next(id, 2)
                    try await peer.complete(id)
                },
            ], interceptors: [session]
        ) { options in
            options.payload = {
                if try await !session.isSignedIn { try await session.signIn(BearerToken("ada")) }
                return nil
            }
        }
        let counts = Task { try await rig.counts().all() }
        await rig.passPause()
        #expect(try await counts.value == [1, 2])
    }

    @Test func `a subscription ends if another user signs in while its payload is made`() async throws {
        let session = TokenRefresher(store: InMemoryCredentialStore(BearerToken("ada"))) { old, _ in old }
        let types = Locked<[String]>([])
        let rig = SocketRig(
            serving: [
                { peer in while let message = try await peer.receive() { types.withLock { $0.append(message.type) } } }
            ],
            interceptors: [session]
        ) { options in
            options.payload = {
                try await session.signOut()
                try await session.signIn(BearerToken("bob"))
                return ["token": "bob"]
            }
        }
        var first = rig.counts().makeAsyncIterator()
        #expect(await first.failure()?.networkError?.kind == .authentication)
        #expect(types.withLock { $0 } == [] && rig.transport.requests.count == 1)
    }
}

/// Holds the first request until it's released.
private struct Holding: RequestInterceptor {
    let arrived: OneShot<Void>
    let released: OneShot<Void>

    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> HTTPResponse {
        if arrived.settle(()) { try await released.wait() }
        return try await next(request)
    }
}

extension Locked<Int> {
    fileprivate func increment() -> Int {
        withLock {
            $0 += 1
            return $0
        }
    }
}
