import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCache
@testable import NetworkEngineTesting

/// A cache over real sockets, with every transport.
@Suite(.timeLimit(.minutes(5))) struct TransportCacheTests {
    private static let bytes = Data.sample(200_000)
    private static let fresh: HTTPHeaders = ["Cache-Control": "max-age=86400", "ETag": "\"1\""]
    private static let stale: HTTPHeaders = ["Cache-Control": "max-age=0", "ETag": "\"1\""]

    private func client(
        _ transport: any Transport,
        _ server: LoopbackServer,
        _ cache: ResponseCache,
        _ change: (inout NetworkConfiguration) -> Void = { _ in }
    ) -> HTTPClient {
        var configuration = NetworkConfiguration()
        (configuration.transport, configuration.cache) = (transport, cache)
        change(&configuration)
        return HTTPClient(baseURL: server.url, configuration: configuration)
    }

    private func responses(_ client: HTTPClient, _ endpoints: Endpoint...) async throws -> [HTTPResponse] {
        var responses: [HTTPResponse] = []
        for endpoint in endpoints { responses.append(try await client.send(endpoint)) }
        return responses
    }

    @Test(arguments: Wire.distinct)
    func `a fresh response is used, and a stale one validated`(wire: Wire) async throws {
        let server = try LoopbackServer()
        server.enqueue(
            .text("a", headers: Self.fresh), .text("b", headers: Self.stale),
            .status(304, headers: ["Cache-Control": "max-age=86400", "ETag": "\"1\"", "X-New": "2"]))
        try await wire.withTransport { transport in
            let client = client(transport, server, ResponseCache())
            let answers = try await responses(client, .get("/a"), .get("/a"), .get("/b"), .get("/b"), .get("/b"))
            #expect(answers.map(\.source) == [.network, .cache, .network, .revalidated, .cache])
            #expect(answers.map(\.text) == ["a", "a", "b", "b", "b"])
            let age = answers[1].headers["Age"].flatMap { Int($0) }
            #expect(answers.last?.headers["X-New"] == "2" && age.map((0..<600).contains) == true)
        }
        #expect(server.requests.map { $0.headers["If-None-Match"] } == [nil, nil, "\"1\""])
    }

    @Test(arguments: Wire.distinct)
    func `a stored redirect leads to a stored response`(wire: Wire) async throws {
        let server = try LoopbackServer()
        server.enqueue(
            .redirect(to: "/b", status: 301, headers: ["Cache-Control": "max-age=86400"]),
            .text("b", headers: Self.fresh))
        try await wire.withTransport { transport in
            let answers = try await responses(client(transport, server, ResponseCache()), .get("/a"), .get("/a"))
            #expect(answers.map(\.text) == ["b", "b"] && answers.map(\.source) == [.network, .cache])
        }
        #expect(server.requests.map(\.path) == ["/a", "/b"])
    }

    @Test(arguments: Wire.distinct)
    func `a truncated body is not stored`(wire: Wire) async throws {
        let server = try LoopbackServer()
        let cut = LoopbackResponse.data(Self.bytes, headers: Self.fresh)
            .fault(.close, at: .responseBody(afterBytes: 1_000))
        server.enqueue(cut, .text("whole", headers: Self.fresh))
        try await wire.withTransport { transport in
            let client = client(transport, server, ResponseCache())
            await #expect(throws: NetworkError.self) { try await client.send(.get("/a")) }
            let answers = try await responses(client, .get("/a"), .get("/a"))
            #expect(answers.map(\.text) == ["whole", "whole"] && answers.map(\.source) == [.network, .cache])
        }
    }

    @Test(arguments: Wire.distinct)
    func `a stream is stored while it is read, and streamed from the cache`(wire: Wire) async throws {
        let server = try LoopbackServer()
        server.enqueue(.data(Self.bytes, headers: Self.fresh))
        try await wire.withTransport { transport in
            let client = client(transport, server, ResponseCache())
            for _ in 0..<2 {
                var read = Data()
                for try await piece in try await client.stream(.get("/a")) { read += piece }
                #expect(read == Self.bytes)
            }
            #expect(try await client.send(.get("/a")).data == Self.bytes)
        }
        #expect(server.requests.count == 1)
    }

    @Test(arguments: Wire.distinct)
    func `a stream that is left early is not stored`(wire: Wire) async throws {
        let server = try LoopbackServer()
        let gate = LoopbackBarrier()
        server.enqueue(
            .data(Self.bytes, headers: Self.fresh).held(by: gate, at: .responseBody(afterBytes: 50_000)),
            .text("whole", headers: Self.fresh))
        try await wire.withTransport { transport in
            let client = client(transport, server, ResponseCache())
            for try await _ in try await client.stream(.get("/a")) { break }
            gate.open()
            #expect(try await client.send(.get("/a")).text == "whole")
        }
    }

    @Test(arguments: Wire.distinct)
    func `a download is stored while it is written, and its file comes from the cache`(wire: Wire) async throws {
        let server = try LoopbackServer()
        server.enqueue(.data(Self.bytes, headers: Self.fresh))
        let folder = try TemporaryFolder()
        let cache = ResponseCache(
            store: try DiskCacheStore(folder: folder.url.appendingPathComponent("cache"), limit: 10 << 20))
        try await wire.withTransport { transport in
            let client = client(transport, server, cache) { $0.temporaryFolder = folder.url }
            for name in ["1", "2"] {
                let place = folder.url.appendingPathComponent(name)
                let file = try await client.download(.get("/a"), to: .file(at: place))
                #expect(try Data(contentsOf: file) == Self.bytes)
            }
        }
        #expect(server.requests.count == 1)
    }

    @Test(arguments: Wire.distinct)
    func `stored parts are combined with the missing rest`(wire: Wire) async throws {
        let server = try LoopbackServer()
        let text = "0123456789"
        let part = { (from: Int, through: Int) in
            LoopbackResponse.text(
                String(Array(text)[from...through]), status: 206,
                headers: [
                    "Cache-Control": "max-age=86400", "ETag": "\"1\"", "Content-Range": "bytes \(from)-\(through)/10",
                ])
        }
        server.enqueue(part(0, 3), part(4, 9))
        try await wire.withTransport { transport in
            let client = client(transport, server, ResponseCache())
            let answers = try await responses(
                client, .get("/a", headers: ["Range": "bytes=0-3"]), .get("/a"), .get("/a"),
                .get("/a", headers: ["Range": "bytes=2-5"]))
            #expect(answers.map(\.text) == ["0123", text, text, "2345"])
            #expect(answers.map(\.statusCode) == [206, 200, 200, 206])
            #expect(answers.map(\.source) == [.network, .revalidated, .cache, .cache])
        }
        #expect(server.requests.map { $0.headers["Range"] } == ["bytes=0-3", "bytes=4-"])
    }

    @Test(arguments: Wire.distinct)
    func `requests for one stale response share its validation`(wire: Wire) async throws {
        let server = try LoopbackServer()
        let gate = LoopbackBarrier()
        server.enqueue(
            .text("a", headers: Self.stale),
            LoopbackResponse.status(304, headers: ["Cache-Control": "max-age=86400", "ETag": "\"1\""])
                .held(by: gate))
        try await wire.withTransport { transport in
            let client = client(transport, server, ResponseCache())
            _ = try await client.send(.get("/a"))
            let texts = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<20 { group.addTask { try await client.send(.get("/a")).text } }
                try await gate.arrivals(atLeast: 1)
                gate.open()
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(texts == Array(repeating: "a", count: 20))
        }
        #expect(server.requests.count == 2)
    }

    @Test(arguments: Wire.distinct)
    func `a response that may be used while it is validated is validated once in the background`(wire: Wire)
        async throws
    {
        let server = try LoopbackServer()
        let headers: HTTPHeaders = ["Cache-Control": "max-age=0, stale-while-revalidate=86400"]
        server.enqueue(.text("old", headers: headers), .text("new", headers: Self.fresh))
        try await wire.withTransport { transport in
            let cache = ResponseCache()
            let client = client(transport, server, cache)
            let answers = try await responses(client, .get("/a"), .get("/a"))
            #expect(answers.map(\.text) == ["old", "old"] && answers.last?.source == .cache)
            try await server.requests(atLeast: 2)
            var text: String?
            while text != "new" {
                text = try await client.send(.get("/a")).text
                // A hit doesn't suspend: without this, two such loops would use both cores exclusively.
                await Task.yield()
            }
        }
        #expect(server.requests.count == 2)
    }

    @Test(arguments: Wire.distinct)
    func `a stale response replaces an error where the server permits it`(wire: Wire) async throws {
        let counts = Locked<[String: Int]>([:])
        let server = try LoopbackServer { request in
            let count = counts.withLock { counts in
                counts[request.path, default: 0] += 1
                return counts[request.path]
            }
            if request.path == "/b" { return count == 1 ? .text("b", headers: Self.stale) : .status(503) }
            let headers: HTTPHeaders = ["Cache-Control": "max-age=0, stale-if-error=86400"]
            return count == 1 ? .text("a", headers: headers) : count == 2 ? .status(503) : .fault(.close)
        }
        try await wire.withTransport { transport in
            let client = client(transport, server, ResponseCache()) { $0.attemptLimit = 1 }
            let answers = try await responses(client, .get("/a"), .get("/a"), .get("/a"), .get("/b"))
            #expect(answers.map(\.text) == ["a", "a", "a", "b"])
            let error = await #expect(throws: NetworkError.self) { try await client.send(.get("/b")) }
            #expect(error?.statusCode == 503)
        }
    }

    @Test(arguments: Wire.distinct)
    func `an unsafe request removes what it changes`(wire: Wire) async throws {
        let server = try LoopbackServer { .text($0.method.rawValue, headers: Self.fresh) }
        try await wire.withTransport { transport in
            let answers = try await responses(
                client(transport, server, ResponseCache()), .get("/a"), .put("/a").body(Data("x".utf8)), .get("/a"))
            #expect(answers.map(\.source) == [.network, .network, .network])
        }
    }
}
