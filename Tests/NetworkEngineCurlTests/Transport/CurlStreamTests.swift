import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5)), .needsCurl) struct CurlStreamTests {
    private static let context = TransportContext(streamsBody: true)

    private func pieces(of response: HTTPResponse) throws -> BodyStream {
        guard case .stream(let stream) = response.body else { throw NetworkError(kind: .invalidResponse) }
        return stream
    }

    @Test func `the response arrives before its body, which is complete`() async throws {
        let server = try LoopbackServer()
        let barrier = LoopbackBarrier()
        let body = Data.sample(5_000_000)
        server.enqueue(LoopbackResponse.data(body).held(by: barrier, at: .responseBody(afterBytes: 10)))
        try await withTransport { transport in
            let response = try await transport.send(server.request(), context: Self.context)
            #expect(response.statusCode == 200)
            barrier.open()
            var received = Data()
            for try await piece in try pieces(of: response) { received += piece }
            #expect(received == body)
        }
    }

    @Test func `a reader that pauses slows the server down`() async throws {
        var configuration = LoopbackConfiguration()
        configuration.sendBufferSize = 1 << 16
        let server = try LoopbackServer(configuration)
        server.enqueue(.data(Data(repeating: 1, count: 200 << 20)), .text("other"))
        try await withTransport { transport in
            let response = try await transport.send(server.request(), context: Self.context)
            // Other exchanges continue in the meantime.
            let other = try await transport.send(server.request())
            #expect(other.text == "other")
            var count = 0
            for try await piece in try pieces(of: response) { count += piece.count }
            #expect(count == 200 << 20)
        }
    }

    @Test(arguments: Coder.available)
    func `a reader that pauses slows down a server that compresses`(coder: Coder) async throws {
        let server = try LoopbackServer()
        let bomb = try #require(coder.encoded(Data(count: 16 << 20)))
        server.enqueue(LoopbackResponse.data(bomb).header("Content-Encoding", coder.rawValue), .text("other"))
        var context = Self.context
        context.limits.streamBacklog = 1 << 20
        try await withTransport { [context] transport in
            let response = try await transport.send(server.request(), context: context)
            // Everything that can arrive without a reader has arrived by then.
            for _ in 0..<3 {
                server.enqueue(.text("other"))
                let other = try await transport.send(server.request())
                #expect(other.statusCode == 200)
            }
            var count = 0
            for try await piece in try pieces(of: response) { count += piece.count }
            #expect(count == 16 << 20)
        }
    }

    @Test func `releasing a stream ends its exchange`() async throws {
        let server = try LoopbackServer()
        server.enqueue(.endless())
        try await withTransport { transport in
            var response: HTTPResponse? = try await transport.send(server.request(), context: Self.context)
            #expect(response?.statusCode == 200)
            response = nil
            try await server.wait { $0.openConnections == 0 }
        }
    }

    @Test(arguments: [262_000, 270_000, 280_000, 300_000, 320_000, 600_000])
    func `an error found when a reader continues ends the stream`(
        size: Int
    ) async throws {
        let server = try LoopbackServer()
        var random = SeededGenerator(seed: UInt64(size))
        let noise = Data.noise(size, using: &random)
        server.enqueue(LoopbackResponse.data(noise).gzipped(.checksum))
        // Otherwise libcurl checks the exchange once more when that time is up.
        try await withTransport({ $0.connectTimeout = .seconds(900) }) { transport in
            let response = try await transport.send(server.request(), context: Self.context)
            let stream = try pieces(of: response)
            // Everything has been sent, and most of it waits in libcurl, before anything is read.
            try await server.wait { $0.finishedRequestCount == 1 }
            let error = await #expect(throws: NetworkError.self) { for try await _ in stream {} }
            #expect(error?.transportFailure == .contentCoding)
        }
    }

    @Test func `an early end follows the bytes before it`() async throws {
        let server = try LoopbackServer()
        server.enqueue(LoopbackResponse.text("hello").declaringLength("100").ending(.close))
        try await withTransport { transport in
            let response = try await transport.send(server.request(), context: Self.context)
            var received = Data()
            let error = await #expect(throws: NetworkError.self) {
                for try await piece in try pieces(of: response) { received += piece }
            }
            #expect(error?.transportFailure == .lostMidBody)
            #expect(received == Data("hello".utf8))
        }
    }

    @Test func `the body of a status other than 2xx is in memory`() async throws {
        let server = try LoopbackServer { _ in .text("no", status: 500) }
        let response = try await withTransport { try await $0.send(server.request(), context: Self.context) }
        #expect(response.text == "no")
    }

    @Test func `releasing a transport cancels no stream`() async throws {
        let server = try LoopbackServer()
        let barrier = LoopbackBarrier()
        server.enqueue(LoopbackResponse.text("kept").held(by: barrier, at: .responseBody(afterBytes: 1)))
        let response = try await CurlTransport().send(server.request(), context: Self.context)
        barrier.open()
        var received = Data()
        for try await piece in try pieces(of: response) { received += piece }
        #expect(received == Data("kept".utf8))
    }
}
