import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineStreams
@testable import NetworkEngineTesting

/// Apple's HTTP API proposal: the conformance cases for bodies. The guide *HTTP conformance* lists all cases.
@Suite(.timeLimit(.minutes(5))) struct ConformanceBodyTests {
    private func client(_ server: LoopbackServer, _ transport: any Transport) -> HTTPClient {
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        return HTTPClient(baseURL: server.url, configuration: configuration)
    }

    private func echo() throws -> LoopbackServer { try LoopbackServer { .data($0.body) } }

    @Test(arguments: Wire.all) func `a body that is shorter than its length is an error`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n1234") }
        let error = try await wire.withTransport { try await $0.failure(of: server.request()) }
        #expect(error.transportFailure == .lostMidBody)
    }

    @Test(arguments: Wire.all) func `a body without a length ends with the connection`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in .raw("HTTP/1.1 200 OK\r\n\r\n1234") }
        let response = try await wire.withTransport { try await $0.send(server.request()) }
        #expect(response.text == "1234")
    }

    @Test(arguments: Wire.all) func `two different lengths are an error`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in LoopbackResponse.text("1234").declaringLength("4", "2") }
        let error = try await wire.withTransport { try await $0.failure(of: server.request()) }
        #expect(error.kind == .protocolViolation)
    }

    @Test(arguments: Wire.all) func `a body comes back from an echo`(wire: Wire) async throws {
        let server = try echo()
        let response = try await wire.withTransport { transport in
            try await client(server, transport).send(.post("/echo").body(Data("Hello World".utf8)))
        }
        #expect(response.text == "Hello World")
    }

    @Test(arguments: Wire.all) func `a megabyte comes back from an echo`(wire: Wire) async throws {
        let (server, body) = (try echo(), Data(repeating: 0x41, count: 1_000_000))
        let response = try await wire.withTransport { transport in
            try await client(server, transport).send(.post("/echo").body(body))
        }
        #expect(response.data == body)
    }

    @Test(arguments: Wire.all) func `a stream without a byte is an empty body`(wire: Wire) async throws {
        let server = try LoopbackServer { .text("\($0.bodyCount)") }
        try await wire.withTransport { transport in
            for length in [nil, Int64(0)] {
                let body = BodyStream(length: length) { AsyncThrowingStream { $0.finish() } }
                let response = try await client(server, transport).send(.post("/").body(.stream(body)))
                #expect(response.text == "0" && server.requests.last?.isComplete == true)
            }
        }
    }

    /// “TEST” and a line feed in three content codings.
    private static let coded: [String: [UInt8]] = [
        "gzip": [
            0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x0B, 0x71, 0x0D, 0x0E, 0xE1, 0x02, 0x00, 0xBE,
            0xD7, 0x83, 0xF7, 0x05, 0x00, 0x00, 0x00,
        ],
        "deflate": [0x78, 0x9C, 0x0B, 0x71, 0x0D, 0x0E, 0xE1, 0x02, 0x00, 0x04, 0x68, 0x01, 0x4B],
        "br": [0x0F, 0x02, 0x80, 0x54, 0x45, 0x53, 0x54, 0x0A, 0x03],
    ]

    @Test(arguments: Wire.all, ["gzip", "deflate", "br", "identity"])
    func `a coded body is decoded, and its coding is known`(wire: Wire, coding: String) async throws {
        let server = try LoopbackServer { request in
            let offered = request.headers["Accept-Encoding"] ?? ""
            // A server uses a coding only if the client accepts it.
            guard let bytes = Self.coded[coding], offered.contains(coding) else { return .text("TEST\n") }
            return .data(Data(bytes), type: "text/plain").header("Content-Encoding", coding)
        }
        let response = try await wire.withTransport { try await $0.send(server.request()) }
        let isOffered = server.requests.first?.headers["Accept-Encoding"]?.contains(coding) == true
        let isCoded = isOffered && coding != "identity"
        #expect(response.text == "TEST\n" && response.decodedCodings == (isCoded ? [coding] : []))
        #expect(response.headers["Content-Encoding"] == nil)
        #expect(isOffered || coding == "identity" || coding == "br", "every transport here offers gzip and deflate")
    }

    @Test(arguments: Wire.all) func `a response whose first byte is enough is left`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in .data(Data(repeating: 0x41, count: 1_000_000)) }
        try await wire.withTransport { transport in
            do {
                let stream = try await client(server, transport).stream(.get("/1mb"))
                for try await piece in stream {
                    #expect(piece.first == 0x41)
                    break
                }
            }
            #expect(try await client(server, transport).send(.get("/again")).data.count == 1_000_000)
        }
    }

    @Test(arguments: Wire.distinct) func `each byte of a body comes back before the next is written`(wire: Wire)
        async throws
    {
        try await conversation(over: wire) { exchange in
            for try await piece in exchange.received { try await exchange.send(piece) }
        } talk: { answers, writer in
            var pieces = answers.makeAsyncIterator()
            for _ in 0..<1_000 {
                try await writer.write(Data("A".utf8))
                #expect(try await pieces.next() == Data("A".utf8))
            }
            writer.finish()
            #expect(try await pieces.next() == nil)
        }
    }

    @Test(arguments: Wire.distinct) func `each byte of a response is answered before the next is sent`(wire: Wire)
        async throws
    {
        try await conversation(over: wire) { exchange in
            var received = exchange.received.makeAsyncIterator()
            for _ in 0..<1_000 {
                try await exchange.send(Data("A".utf8))
                let answer = try await received.next()
                if answer != Data("A".utf8) { throw CancellationError() }
            }
            try await exchange.finish()
            while try await received.next() != nil {}
        } talk: { answers, writer in
            var count = 0
            for try await piece in answers {
                count += piece.count
                try await writer.write(piece)
            }
            #expect(count == 1_000)
            writer.finish()
        }
    }

    /// Runs a duplex call. URLSession rejects it before any I/O.
    private func conversation(
        over wire: Wire,
        serve: @escaping @Sendable @concurrent (LoopbackDuplex) async throws -> Void,
        talk: (ResponseStream, BodyWriter) async throws -> Void
    ) async throws {
        let server = try LoopbackServer(early: { _ in .duplex(serve) }, handler: { _ in .status(500) })
        try await wire.withTransport { transport in
            let (body, writer) = BodyStream.makeStream()
            guard wire.isCurl else {
                let error = await #expect(throws: NetworkError.self) {
                    _ = try await client(server, transport).stream(.post("/"), sending: body)
                }
                #expect(error?.kind == .unsupported && server.record.acceptedConnections == 0)
                return
            }
            try await talk(try await client(server, transport).stream(.post("/"), sending: body), writer)
        }
    }
}
