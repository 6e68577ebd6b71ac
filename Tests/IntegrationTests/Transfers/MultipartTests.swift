import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Forms as they arrive: the declared length, the body of a retry, and bodies that are never sent twice.
@Suite(.timeLimit(.minutes(5))) struct MultipartTests {
    private struct Retry: RequestInterceptor {
        func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision { .retry }
    }

    private let provider = NetworkProvider<FileTarget>(interceptor: Retry())

    private func live(_ text: String, isReplayable: Bool, reads: Tally = Tally()) -> MultipartFormData {
        let stream = BodyStream(isReplayable: isReplayable) {
            reads.add()
            return AsyncThrowingStream { pieces in
                for piece in text.split(separator: " ") { pieces.yield(Data(piece.utf8)) }
                pieces.finish()
            }
        }
        return MultipartFormData(provider: .stream(stream), name: "live", fileName: "live.log")
    }

    private func target(_ server: LoopbackServer, _ parts: MultipartFormData...) -> FileTarget {
        .upload(to: server, .uploadMultipart(parts))
    }

    private func client(
        _ server: LoopbackServer,
        _ transport: any Transport,
        _ interceptors: any RequestInterceptor...
    ) -> HTTPClient {
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        return HTTPClient(baseURL: server.url, interceptors: interceptors, configuration: configuration)
    }

    @Test func `a form with a file and a stream arrives complete, with its length`() async throws {
        let server = try LoopbackServer()
        server.enqueue(.status(204))
        let folder = try TemporaryFolder()
        let text = String(repeating: "0123456789", count: 30_000)
        let file = MultipartFormData(provider: .file(try folder.file("a.txt", text)), name: "file")
        _ = try await provider.upload(target(server, file, live("one two", isReplayable: true)), as: EmptyBody.self)
        let request = try #require(try await server.requests(atLeast: 1).first)
        #expect(request.headers["Content-Length"] == "\(request.bodyCount)")
        #expect(request.text.contains("\r\n\r\n\(text)\r\n--") && request.text.contains("\r\n\r\nonetwo\r\n--"))
    }

    @Test func `each attempt sends the current file`() async throws {
        let server = try LoopbackServer()
        let folder = try TemporaryFolder()
        let place = try folder.file("a.txt", "short")
        let gate = LoopbackBarrier()
        server.enqueue(LoopbackResponse.status(503).held(by: gate), .status(204))
        let file = MultipartFormData(provider: .file(place), name: "file")
        let upload = Task { try await provider.upload(target(server, file), as: EmptyBody.self) }
        try await gate.arrivals(atLeast: 1)
        try Data("longer than before".utf8).write(to: place)
        gate.open()
        _ = try await upload.value
        let texts = try await server.requests(atLeast: 2).map(\.text)
        #expect(texts[0].contains("\r\n\r\nshort\r\n") && texts[1].contains("\r\n\r\nlonger than before\r\n"))
    }

    @Test func `a file that is missing at the second attempt is named with its part`() async throws {
        let server = try LoopbackServer()
        let folder = try TemporaryFolder()
        let place = try folder.file("a.txt", "short")
        let gate = LoopbackBarrier()
        server.enqueue(LoopbackResponse.status(503).held(by: gate))
        let file = MultipartFormData(provider: .file(place), name: "avatar")
        let upload = Task { try await provider.upload(target(server, file), as: EmptyBody.self) }
        try await gate.arrivals(atLeast: 1)
        try FileManager.default.removeItem(at: place)
        gate.open()
        let error = await #expect(throws: NetworkError.self) { try await upload.value }
        #expect(error?.transportFailure == .requestBody)
        #expect(error?.reason.contains("part 1 \"avatar\"") == true && error?.reason.contains(place.path) == true)
        #expect(server.requests.count == 1)
    }

    @Test func `a missing file is found before anything is sent`() async throws {
        let server = try LoopbackServer()
        let missing = URL(fileURLWithPath: "/does/not/exist.png")
        let reads = Tally()
        let parts = [
            live("x", isReplayable: true, reads: reads), MultipartFormData(provider: .file(missing), name: "b"),
        ]
        let error = await #expect(throws: NetworkError.self) {
            try await provider.upload(.upload(to: server, .uploadMultipart(parts)), as: EmptyBody.self)
        }
        #expect(error?.kind == .invalidRequest && error?.reason.contains("part 2 \"b\"") == true)
        #expect(server.acceptedConnections == 0 && reads.count == 0)
    }

    @Test(arguments: [true, false])
    func `a replayable stream is read for each attempt, and a one-shot stream once`(isReplayable: Bool) async throws {
        let server = try LoopbackServer()
        server.enqueue(.status(401), .status(204))
        let reads = Tally()
        let form = target(server, live("a b", isReplayable: isReplayable, reads: reads))
        var status: Int?
        do throws(NetworkError) {
            _ = try await provider.upload(form, as: EmptyBody.self)
        } catch {
            status = error.statusCode
        }
        #expect(status == (isReplayable ? nil : 401))
        #expect(reads.count == (isReplayable ? 2 : 1) && server.requests.count == reads.count)
    }

    @Test(arguments: Wire.distinct)
    func `a call with the parts of another sends a one-shot stream no second time`(wire: Wire) async throws {
        let server = try LoopbackServer()
        server.enqueue(.status(503), .status(204))
        let reads = Tally()
        let endpoint = Endpoint.post("/").multipart([live("a b", isReplayable: false, reads: reads)])
        try await wire.withTransport { transport in
            let client = client(server, transport)
            let first = await #expect(throws: NetworkError.self) { try await client.send(endpoint) }
            #expect(first?.statusCode == 503)
            let second = await #expect(throws: NetworkError.self) { try await client.send(endpoint) }
            #expect(second?.transportFailure == .requestBody && second?.reason.contains("read once") == true)
        }
        #expect(reads.count == 1 && server.requests.count == 1)
    }

    @Test(arguments: Wire.distinct)
    func `a one-shot stream that was not read, since a file was missing, is sent by the next call`(
        wire: Wire
    ) async throws {
        let server = try LoopbackServer()
        server.enqueue(.status(204))
        let folder = try TemporaryFolder()
        let place = try folder.file("a.txt", "text")
        struct Removing: RequestInterceptor {
            let place: URL
            func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
                try FileManager.default.removeItem(at: place)
                return request
            }
        }
        let file = MultipartFormData(provider: .file(place), name: "file")
        let endpoint = Endpoint.post("/").multipart([live("a b", isReplayable: false), file])
        try await wire.withTransport { transport in
            let error = await #expect(throws: NetworkError.self) {
                try await client(server, transport, Removing(place: place)).send(endpoint)
            }
            #expect(error?.reason.contains("part 2 \"file\"") == true)
            _ = try folder.file("a.txt", "text")
            try await client(server, transport).send(endpoint)
        }
        #expect(try await server.requests(atLeast: 1).map { $0.text.contains("\r\n\r\nab\r\n") } == [true])
    }

    @Test(arguments: Wire.distinct)
    func `a file that grows beside a stream is sent as far as it was when its attempt began`(wire: Wire) async throws {
        let server = try LoopbackServer()
        server.enqueue(.status(503), .status(204))
        let folder = try TemporaryFolder()
        let place = try folder.file("a.log", "first")
        let growing = BodyStream(length: 1) {
            let log = FileHandle(forWritingAtPath: place.path)
            _ = try? log?.seekToEnd()
            try? log?.write(contentsOf: Data(" more".utf8))
            return AsyncThrowingStream { pieces in
                pieces.yield(Data("x".utf8))
                pieces.finish()
            }
        }
        let parts = [
            MultipartFormData(provider: .stream(growing), name: "live"),
            MultipartFormData(provider: .file(place), name: "log"),
        ]
        try await wire.withTransport { transport in
            _ = try await client(server, transport, Retry()).send(.post("/").multipart(parts))
        }
        let texts = try await server.requests(atLeast: 2).map(\.text)
        #expect(texts[0].contains("\r\n\r\nfirst\r\n") || texts[0].contains("\r\n\r\nfirst more\r\n"))
        #expect(texts[1].contains("more\r\n--"))
    }

    @Test func `lengths whose sum no length can have are sent as a body of unknown length`() async throws {
        let stream = BodyStream(length: .max) { AsyncThrowingStream { $0.finish() } }
        let body = try MultipartEncoder().encode([MultipartFormData(provider: .stream(stream), name: "a")])
        guard case .stream(let form) = body.content else { return #expect(body.data == nil) }
        #expect(form.length == nil)
    }

    @Test func `an interceptor that sends a one-shot stream twice gets an error`() async throws {
        struct Twice: RequestInterceptor {
            func intercept(
                _ request: HTTPRequest,
                context: RequestContext,
                next: @escaping Next
            ) async throws -> HTTPResponse {
                _ = try await next(request)
                return try await next(request)
            }
        }
        let server = try LoopbackServer()
        server.enqueue(.status(204), .status(204))
        let form = target(server, live("a b", isReplayable: false))
        let error = await #expect(throws: NetworkError.self) {
            try await NetworkProvider<FileTarget>(interceptor: Twice()).upload(form, as: EmptyBody.self)
        }
        #expect(error?.transportFailure == .requestBody && error?.reason.contains("read once") == true)
        #expect(server.requests.count == 1)
    }

    @Test func `a stream of another length than announced is an error`() async throws {
        let server = try LoopbackServer()
        let stream = BodyStream(length: 5) { AsyncThrowingStream { $0.finish() } }
        let part = MultipartFormData(provider: .stream(stream), name: "live")
        let error = await #expect(throws: NetworkError.self) {
            try await NetworkProvider<FileTarget>().upload(target(server, part), as: EmptyBody.self)
        }
        #expect(error?.reason.contains("part 1 \"live\"'s stream gave another number of bytes") == true)
        #expect(error?.figures == ErrorFigures(byteCount: 0, expectedByteCount: 5))
        #expect(server.acceptedConnections == 0)
    }
}
