import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineStreams
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(10))) struct BodyWriterTests {
    private struct Broken: Error {}

    @Test func `the pieces are read in order, and then the end`() async throws {
        let (body, writer) = BodyStream.makeStream()
        for text in ["a", "", "b", "c"] { try await writer.write(Data(text.utf8)) }
        writer.finish()
        writer.fail(Broken())
        var seen: [String] = []
        for try await piece in body { seen.append(String(decoding: piece, as: UTF8.self)) }
        #expect(seen == ["a", "b", "c"])
        #expect(body.length == nil && !body.isReplayable)
    }

    @Test func `a piece waits for room, and one piece may always wait`() async throws {
        let (body, writer) = BodyStream.makeStream(limit: 10)
        try await writer.write(Data(count: 1_000))
        let written = Locked(false)
        let writing = Task {
            try await writer.write(Data(count: 1))
            written.withLock { $0 = true }
        }
        while !writer.isWaiting { await Task.yield() }
        #expect(!written.withLock { $0 })
        var pieces = body.makeAsyncIterator()
        #expect(try await pieces.next()?.count == 1_000)
        try await writing.value
        #expect(try await pieces.next()?.count == 1)
    }

    @Test func `an error of the writer is thrown after the pieces`() async throws {
        let (body, writer) = BodyStream.makeStream()
        try await writer.write(Data([1]))
        writer.fail(Broken())
        let late = await #expect(throws: NetworkError.self) { try await writer.write(Data([2])) }
        #expect(late?.kind == .invalidRequest)
        var pieces = body.makeAsyncIterator()
        #expect(try await pieces.next() == Data([1]))
        let rest = pieces
        await #expect(throws: Broken.self) {
            var rest = rest
            _ = try await rest.next()
        }
    }

    @Test func `a writer that is released without an end fails the body`() async throws {
        let body: BodyStream
        do {
            let made = BodyStream.makeStream()
            try await made.writer.write(Data([1]))
            body = made.stream
        }
        let error = await #expect(throws: NetworkError.self) { for try await _ in body {} }
        #expect(error?.transportFailure == .requestBody)
    }

    @Test func `a body can be read once`() async throws {
        let (body, writer) = BodyStream.makeStream()
        writer.finish()
        for try await _ in body {}
        let error = await #expect(throws: NetworkError.self) { for try await _ in body {} }
        #expect(error?.kind == .invalidRequest)
    }

    @Test(arguments: [false, true]) func `a writer learns that its body is released`(isReading: Bool) async throws {
        let writer: BodyWriter
        do {
            let made = BodyStream.makeStream(limit: 1)
            writer = made.writer
            try await writer.write(Data([1]))
            if isReading { for try await _ in made.stream { break } }
        }
        let error = await #expect(throws: NetworkError.self) { while true { try await writer.write(Data(count: 9)) } }
        #expect(error?.kind == .transport)
    }

    @Test func `canceling a writer stops its wait, and the body continues`() async throws {
        let (body, writer) = BodyStream.makeStream(limit: 1)
        try await writer.write(Data([1]))
        let writing = Task { try await writer.write(Data([2])) }
        while !writer.isWaiting { await Task.yield() }
        writing.cancel()
        let error = await #expect(throws: NetworkError.self) { try await writing.value }
        #expect(error?.kind == .cancelled)
        writer.finish()
        var count = 0
        for try await piece in body { count += piece.count }
        #expect(count == 1)
    }

    @Test func `an answer of a mock can read the body while it is written`() async throws {
        var configuration = NetworkConfiguration()
        configuration.transport = MockTransport(
            MockAnswer { request, _ in
                guard case .stream(let questions) = request.body else { throw Broken() }
                let answers = BodyStream(isReplayable: false) {
                    AsyncThrowingStream { answers in
                        Task {
                            for try await question in questions { answers.yield(question + [0x21]) }
                            answers.finish()
                        }
                    }
                }
                return HTTPResponse(statusCode: 200, body: .stream(answers), request: request)
            })
        let client = HTTPClient(baseURL: API.base, configuration: configuration)
        let (body, writer) = BodyStream.makeStream()
        var answers = try await client.stream(.post("/"), sending: body).makeAsyncIterator()
        for text in ["a", "b", "c"] {
            try await writer.write(Data(text.utf8))
            #expect(try await answers.next() == Data("\(text)!".utf8))
        }
        writer.finish()
        #expect(try await answers.next() == nil)
    }

    @Test func `a mock that answers without the body leaves no writer waiting`() async throws {
        let (body, writer) = BodyStream.makeStream(limit: 1)
        var configuration = NetworkConfiguration()
        configuration.transport = MockTransport(.status(503))
        let client = HTTPClient(baseURL: API.base, configuration: configuration)
        let writing = Task { while true { try await writer.write(Data(count: 9)) } }
        let error = await #expect(throws: NetworkError.self) {
            _ = try await client.stream(.post("/"), sending: body)
        }
        #expect(error?.statusCode == 503)
        _ = await writing.result
    }

    @Test func `a response that ends leaves no writer waiting whose body was not read`() async throws {
        let (body, writer) = BodyStream.makeStream(limit: 1)
        var configuration = NetworkConfiguration()
        configuration.transport = MockTransport(.text("enough"))
        let client = HTTPClient(baseURL: API.base, configuration: configuration)
        let writing = Task { while true { try await writer.write(Data(count: 9)) } }
        let answers = try await client.stream(.post("/"), sending: body)
        for try await _ in answers {}
        let error = await #expect(throws: NetworkError.self) { try await writing.value }
        #expect(error?.kind == .transport)
        withExtendedLifetime((body, answers)) {}
    }

    @Test(arguments: [false, true])
    func `a response that fails or is left leaves no writer waiting whose body was not read`(fails: Bool) async throws {
        let (body, writer) = BodyStream.makeStream(limit: 1)
        var configuration = NetworkConfiguration()
        configuration.transport = MockTransport(
            MockAnswer { request, _ in
                let pieces = BodyStream(isReplayable: false) {
                    AsyncThrowingStream { pieces in
                        pieces.yield(Data([1]))
                        if fails { pieces.finish(throwing: Broken()) }
                    }
                }
                return HTTPResponse(statusCode: 200, body: .stream(pieces), request: request)
            })
        let client = HTTPClient(baseURL: API.base, configuration: configuration)
        let writing = Task { while true { try await writer.write(Data(count: 9)) } }
        let answers = try await client.stream(.post("/"), sending: body)
        while !writer.isWaiting { await Task.yield() }
        do { for try await _ in answers where !fails { break } } catch {}
        // Nothing else ends the wait.
        if writer.isWaiting { writing.cancel() }
        let error = await #expect(throws: NetworkError.self) { try await writing.value }
        #expect(error?.kind == .transport)
        withExtendedLifetime((body, answers)) {}
    }

    @Test func `a body that was sent once is not sent again`() async throws {
        var configuration = NetworkConfiguration()
        configuration.transport = CountingTransport()
        let client = HTTPClient(baseURL: API.base, configuration: configuration)
        let (pieces, source) = AsyncThrowingStream<Data, any Error>.makeStream()
        source.yield(Data([1]))
        source.finish()
        let body = BodyStream(isReplayable: false) { pieces }
        for try await _ in try await client.stream(.post("/"), sending: body) {}
        for isLive in [true, false] {
            let error = await #expect(throws: NetworkError.self) {
                if isLive {
                    _ = try await client.stream(.post("/"), sending: body)
                } else {
                    _ = try await client.stream(.post("/").body(.stream(body)))
                }
            }
            #expect(error?.transportFailure == .requestBody)
        }
    }

    /// Reads bodies as this package's transports do.
    private struct CountingTransport: Transport {
        func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
            if case .stream(let stream) = request.body {
                try stream.beginSending()
                for try await _ in stream {}
            }
            return HTTPResponse(statusCode: 200, request: request)
        }
    }

    @Test func `many small pieces are read in order`() async throws {
        let (body, writer) = BodyStream.makeStream()
        let writing = Task {
            for number in 0..<20_000 { try await writer.write(Data([UInt8(truncatingIfNeeded: number)])) }
            writer.finish()
        }
        var number = 0
        for try await piece in body {
            #expect(piece.first == UInt8(truncatingIfNeeded: number))
            number += 1
        }
        try await writing.value
        #expect(number == 20_000)
    }
}
