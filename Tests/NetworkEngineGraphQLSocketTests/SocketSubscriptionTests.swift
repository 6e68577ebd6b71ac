import Foundation
import NetworkEngineGraphQLSocket
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineGraphQL
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

/// Subscriptions over one WebSocket that remains open.
@Suite(.timeLimit(.minutes(10))) struct SocketSubscriptionTests {
    @Test func `values arrive until the server completes the subscription, and the socket is closed`() async throws {
        let messages = Locked<[SocketPeer.Message]>([])
        let code = OneShot<UInt16?>()
        let rig = SocketRig { peer in
            let initialization = try await peer.receive()
            try await peer.send(#"{"type":"connection_ack","payload":{}}"#)
            let subscription = try await peer.receive()
            messages.withLock { $0 += [initialization, subscription].compactMap(\.self) }
            let id = subscription?.id ?? ""
            try await peer.next(id, 1)
            try await peer.next(id, 2)
            try await peer.complete(id)
            await peer.waitForEnd()
            code.settle(peer.socket.closeCode)
        }
        let operation = GraphQLOperation(
            document: "subscription Counting($a: Int) { count }", variables: ["a": 1], operationName: "Counting")
        #expect(try await rig.client.subscribe(to: operation, as: Count.self).all() == [1, 2])
        #expect(try await code.wait() == 1000)
        let seen = messages.withLock { $0 }
        #expect(seen.map(\.type) == ["connection_init", "subscribe"])
        #expect(seen.first?.payload == nil)
        let payload: [String: GraphQLVariable] = [
            "query": "subscription Counting($a: Int) { count }", "operationName": "Counting", "variables": ["a": 1],
        ]
        #expect(seen.last?.payload == payload)
        let request = rig.transport.requests.first
        #expect(request?.url.path == "/v1/socket" && rig.transport.requests.count == 1)
    }

    @Test func `several subscriptions share a connection, and each gets its own values`() async throws {
        let rig = SocketRig { peer in
            try await peer.acknowledge()
            for number in 1...3 {
                let message = try await peer.expect("subscribe")
                for offset in 0..<2 { try await peer.next(message.id ?? "", number * 10 + offset) }
            }
            for number in 1...3 { try await peer.complete("\(number)") }
            await peer.waitForEnd()
        }
        var readers = (0..<3).map { _ in rig.counts().makeAsyncIterator() }
        var seen: [[Int]] = [[], [], []]
        for index in readers.indices { seen[index].append(try await readers[index].next()?.count ?? 0) }
        for index in readers.indices { seen[index].append(try await readers[index].next()?.count ?? 0) }
        for index in readers.indices { #expect(try await readers[index].next() == nil) }
        #expect(Set(seen) == [[10, 11], [20, 21], [30, 31]])
        #expect(rig.transport.requests.count == 1)
    }

    @Test func `breaking out of a loop completes that subscription only`() async throws {
        let completed = OneShot<String?>()
        let rig = SocketRig { peer in
            let id = try await peer.start()
            try await peer.next(id, 1)
            let other = try await peer.expect("subscribe").id ?? ""
            try await peer.next(other, 10)
            completed.settle(try await peer.expect("complete").id)
            // Responses that the client no longer wants.
            try await peer.next(id, 2)
            try await peer.complete(id)
            try await peer.next(other, 11)
            try await peer.complete(other)
            await peer.waitForEnd()
        }
        let (first, second) = (rig.counts(), rig.counts())
        var rest = second.makeAsyncIterator()
        for try await value in first {
            #expect(value.count == 1)
            #expect(try await rest.next() == Count(count: 10))
            break
        }
        #expect(try await completed.wait() == "1")
        #expect(try await rest.next() == Count(count: 11))
        #expect(try await rest.next() == nil)
        #expect(try await rest.next() == nil)
    }

    @Test func `canceling a task that reads completes its subscription`() async throws {
        let (subscribed, completed) = (OneShot<Void>(), OneShot<String?>())
        let rig = SocketRig { peer in
            _ = try await peer.start()
            subscribed.settle(())
            completed.settle(try await peer.expect("complete").id)
            await peer.waitForEnd()
        }
        let task = Task {
            var reader = rig.counts().makeAsyncIterator()
            return try await reader.next()
        }
        try await subscribed.wait()
        task.cancel()
        let error = await #expect(throws: GraphQLError.self) { try await task.value }
        #expect(error?.networkError?.kind == .cancelled)
        #expect(try await completed.wait() == "1")
    }

    @Test func `an error of the server is thrown with its messages, and is the end`() async throws {
        let rig = SocketRig { peer in
            let id = try await peer.start()
            try await peer.send(#"{"id":"\#(id)","type":"error","payload":[{"message":"no field"},{"message":"b"}]}"#)
            await peer.waitForEnd()
        }
        var values = rig.counts().makeAsyncIterator()
        let error = await values.failure()
        #expect(error?.kind == .responseErrors && error?.messages == ["no field", "b"])
        #expect(try await values.next() == nil)
    }

    @Test func `a response with errors is thrown with its data, and later ones can be read`() async throws {
        let rig = SocketRig { peer in
            let id = try await peer.start()
            try await peer.send(
                #"{"id":"\#(id)","type":"next","payload":{"data":{"count":1},"errors":[{"message":"late"}]}}"#)
            try await peer.next(id, 2)
            try await peer.complete(id)
            await peer.waitForEnd()
        }
        var values = rig.counts().makeAsyncIterator()
        let error = await values.failure()
        #expect(error?.messages == ["late"] && error?.data(as: Count.self) == Count(count: 1))
        #expect(try await values.next() == Count(count: 2))
        #expect(try await values.next() == nil)
    }

    @Test func `pings are answered, also before the acknowledgment`() async throws {
        let pongs = Locked(0)
        let rig = SocketRig { peer in
            try await peer.expect("connection_init")
            for _ in 0..<2 {
                try await peer.send(#"{"type":"ping","payload":{"n":1}}"#)
                try await peer.expect("pong")
                pongs.withLock { $0 += 1 }
            }
            try await peer.send(#"{"type":"pong"}"#)
            try await peer.send(#"{"type":"connection_ack"}"#)
            let id = try await peer.expect("subscribe").id ?? ""
            try await peer.send(#"{"type":"ping"}"#)
            try await peer.expect("pong")
            pongs.withLock { $0 += 1 }
            try await peer.send(#"{"type":"pong"}"#)
            try await peer.complete(id)
            await peer.waitForEnd()
        }
        #expect(try await rig.counts().all() == [])
        #expect(pongs.withLock { $0 } == 3)
    }

    @Test func `a subscription after the last one has ended opens another connection`() async throws {
        let serve: SocketRig.Connection = { peer in
            let id = try await peer.start()
            try await peer.next(id, 1)
            try await peer.complete(id)
            await peer.waitForEnd()
        }
        let rig = SocketRig(serving: [serve, serve, serve])
        let subscription = rig.counts()
        for _ in 0..<3 { #expect(try await subscription.all() == [1]) }
        #expect(rig.transport.requests.count == 3)
    }

    @Test func `queries and mutations are sent by HTTP`() async throws {
        let mock = MockTransport(.json(#"{"data":{"count":7}}"#))
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        let client = GraphQLClient(
            httpClient: HTTPClient(baseURL: API.base, configuration: configuration), subscriptions: .webSocket())
        let value: Count = try await client.execute(GraphQLOperation(document: "{ count }"))
        #expect(value == Count(count: 7) && mock.requests.map(\.method) == [.post])
    }

    @Test func `variables that cannot be encoded fail before I/O`() async throws {
        let rig = SocketRig { _ in }
        let operation = GraphQLOperation(document: "subscription { a }", variables: ["a": .double(.nan)])
        let error = await #expect(throws: GraphQLError.self) {
            _ = try await rig.client.subscribe(to: operation, as: Count.self).all()
        }
        #expect(error?.kind == .encodingFailed && rig.transport.requests.isEmpty)
    }

    @Test func `a mutation cannot be subscribed to, and fails before I/O`() async throws {
        let rig = SocketRig { peer in
            try await peer.complete(try await peer.start())
            await peer.waitForEnd()
        }
        let error = await #expect(throws: GraphQLError.self) {
            _ = try await rig.counts("mutation { count }").all()
        }
        #expect(error?.kind == .encodingFailed && rig.transport.requests.isEmpty)
    }

    @Test func `an operation with files cannot be subscribed to, and fails before I/O`() async throws {
        let rig = SocketRig { peer in
            try await peer.complete(try await peer.start())
            await peer.waitForEnd()
        }
        var operation = GraphQLOperation(document: "subscription { count }")
        operation.uploads = [GraphQLUpload("variables.file", .data(Data()))]
        let subscription = rig.client.subscribe(to: operation, as: Count.self)
        let error = await #expect(throws: GraphQLError.self) { _ = try await subscription.all() }
        #expect(error?.kind == .encodingFailed && rig.transport.requests.isEmpty)
    }

    @Test func `an iterator that reads nothing opens no connection`() async throws {
        let rig = SocketRig { _ in }
        let reader = rig.counts().makeAsyncIterator()
        withExtendedLifetime(reader) {}
        #expect(rig.transport.requests.isEmpty)
    }
}
