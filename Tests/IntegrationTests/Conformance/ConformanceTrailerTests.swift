import Foundation
import NetworkEngineStreams
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Apple's HTTP API proposal: the conformance cases for trailers. The guide *HTTP conformance* lists all cases.
@Suite(.timeLimit(.minutes(5))) struct ConformanceTrailerTests {
    private func client(_ server: LoopbackServer, _ transport: any Transport) -> HTTPClient {
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        return HTTPClient(baseURL: server.url, configuration: configuration)
    }

    private static func body(_ fields: HTTPHeaders) -> BodyStream {
        BodyStream {
            AsyncThrowingStream { pieces in
                pieces.yield(Data("hello".utf8))
                pieces.finish()
            }
        }.withTrailers("X-Sum", "X-Count") { fields }
    }

    @Test(arguments: Wire.distinct) func `fields are sent after a body, or the call is refused before I/O`(wire: Wire)
        async throws
    {
        let server = try LoopbackServer { _ in .text("ok") }
        try await wire.withTransport { transport in
            let call = Endpoint.post("/").body(.stream(Self.body(["X-Sum": "7", "X-Count": "5"])))
            guard wire.isCurl else {
                let error = await #expect(throws: NetworkError.self) {
                    try await client(server, transport).send(call)
                }
                #expect(error?.kind == .unsupported && server.record.acceptedConnections == 0)
                return
            }
            _ = try await client(server, transport).send(call)
            let request = try #require(server.requests.first)
            #expect(request.text == "hello" && request.trailers == ["X-Sum": "7", "X-Count": "5"])
            #expect(request.headers["Trailer"] == "X-Sum, X-Count" && !request.headers.contains("X-Sum"))
            #expect(request.headers["Transfer-Encoding"] == "chunked")
        }
    }

    /// URLSession on Linux crashes the process on such a response, as `URLSessionCrashTests` shows.
    @Test(arguments: Wire.distinct.filter(\.isCurl)) func `fields are received after a body`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in LoopbackResponse.text("hello").trailers(["X-Sum": "7"]) }
        let response = try await wire.withTransport { try await $0.send(server.request()) }
        #expect(response.text == "hello" && response.trailers == ["X-Sum": "7"])
    }

    @Test(arguments: Wire.distinct.filter(\.isCurl)) func `fields go both ways in one call`(wire: Wire) async throws {
        let server = try LoopbackServer { request in
            LoopbackResponse.data(request.body).trailers(request.trailers)
        }
        try await wire.withTransport { transport in
            let (body, writer) = BodyStream.makeStream(limit: 1 << 10, trailers: ["X-Sum"])
            let writing = Task {
                for _ in 0..<100 { try await writer.write(Data(count: 1 << 10)) }
                writer.finish(trailers: ["x-sum": "102400"])
            }
            let answers = try await client(server, transport).stream(.post("/"), sending: body)
            var count = 0
            for try await piece in answers { count += piece.count }
            try await writing.value
            #expect(count == 100 << 10 && answers.trailers == ["x-sum": "102400"])
        }
    }
}
