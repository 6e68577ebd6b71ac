import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineStreams

/// Duplex calls over TLS: with HTTP/2 if libcurl can send a body of unknown length that way, which requires version
/// 8.7.
@Suite(.timeLimit(.minutes(5)), .needsCurl, .needsHTTP2Server) struct CurlBothWaysTests {
    private func withClient(_ body: (HTTPClient) async throws -> Void) async throws {
        let certificates = try #require(Certificates.shared)
        var policy = TLSPolicy()
        policy.authorities = .file(certificates.authority)
        let server = try HTTP2Server(certificates, protocols: ["h2"])
        try await withTransport({ $0.tls = policy }) { transport in
            var configuration = NetworkConfiguration()
            configuration.transport = transport
            try await body(HTTPClient(baseURL: server.url, configuration: configuration))
        }
    }

    /// Writes until the body is no longer being sent.
    private func failure(of writer: BodyWriter) async -> NetworkError? {
        await #expect(throws: NetworkError.self) { while true { try await writer.write(Data(count: 1 << 16)) } }
    }

    @Test func `a response that is whole before the body was read ends the call, and the writer learns it`()
        async throws
    {
        try await withClient { client in
            let (body, writer) = BodyStream.makeStream()
            try await writer.write(Data("question".utf8))
            var text = Data()
            for try await piece in try await client.stream(.post("/early"), sending: body) { text += piece }
            #expect(text == Data("enough".utf8))
            #expect(await failure(of: writer)?.kind == .transport)
        }
    }

    @Test func `a refusal before the body was read is the error of the call, and the writer learns it`() async throws {
        try await withClient { client in
            let (body, writer) = BodyStream.makeStream()
            try await writer.write(Data("question".utf8))
            let error = await #expect(throws: NetworkError.self) {
                for try await _ in try await client.stream(.post("/refused"), sending: body) {}
            }
            #expect(error?.statusCode == 413, "\(String(describing: error))")
            #expect(await failure(of: writer)?.kind == .transport)
        }
    }

    @Test func `a connection that takes no more requests ends no call that runs`() async throws {
        try await withClient { client in
            let (body, writer) = BodyStream.makeStream()
            try await writer.write(Data("0".utf8))
            let answers = try await client.stream(.post("/leaving"), sending: body)
            var pieces = answers.makeAsyncIterator()
            for number in 0..<20 {
                #expect(try await pieces.next() == Data("\(number)".utf8))
                if number < 19 { try await writer.write(Data("\(number + 1)".utf8)) }
            }
            writer.finish()
            #expect(try await pieces.next() == nil)
            #expect(answers.trailers == ["x-after": "echo"])
        }
    }

    @Test func `a stream that is reset ends both directions`() async throws {
        try await withClient { client in
            let (body, writer) = BodyStream.makeStream()
            try await writer.write(Data("0".utf8))
            var pieces = try await client.stream(.post("/reset"), sending: body).makeAsyncIterator()
            #expect(try await pieces.next() == Data("0".utf8))
            let error = await #expect(throws: NetworkError.self) { while try await pieces.next() != nil {} }
            #expect(error?.kind == .connection, "\(String(describing: error))")
            #expect(await failure(of: writer)?.kind == .transport)
        }
    }
}
