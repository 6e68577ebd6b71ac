import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct URLSessionUploadTests {
    private let bytes = Data.sample(300_000)

    private func stream(announcing length: Int64? = nil) -> RequestBody {
        let bytes = bytes
        return .stream(
            BodyStream(length: length) {
                AsyncThrowingStream { continuation in
                    for start in stride(from: 0, to: bytes.count, by: 70_000) {
                        continuation.yield(bytes[start..<min(bytes.count, start + 70_000)])
                    }
                    continuation.finish()
                }
            }
        )
    }

    private func expectWhole(_ body: RequestBody) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        _ = try await withTransport { try await $0.send(server.request(method: .post, body: body)) }
        let request = try #require(server.requests.first)
        #expect(request.body == bytes)
        #expect(request.headers.values(for: "Content-Length") == [String(bytes.count)])
        #expect(!request.headers.contains("Transfer-Encoding"))
        #expect(!request.headers.contains("Expect"))
    }

    @Test func `a stream arrives complete, with one Content-Length`() async throws {
        try await expectWhole(stream())
    }

    /// A stream that yields one chunk, and then nothing.
    private func waiting(_ begun: OneShot<Void>) -> RequestBody {
        let pieces = Locked([Data("a".utf8)])
        return .stream(
            BodyStream(isReplayable: false) {
                AsyncThrowingStream<Data, any Error> {
                    if let piece = pieces.withLock({ $0.popLast() }) { return piece }
                    begun.settle(())
                    try await OneShot<Void>().wait()
                    return nil
                }
            })
    }

    @Test func `the timeout ends a call whose stream gives no more bytes`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        var configuration = NetworkConfiguration()
        configuration.timeout = .milliseconds(100)
        let client = HTTPClient(baseURL: server.url, configuration: configuration)
        let error = await #expect(throws: NetworkError.self) {
            try await client.send(Endpoint.post("/").body(waiting(OneShot())))
        }
        #expect(error?.kind == .timeout, "\(error as Any)")
        #expect(server.requests.isEmpty)
    }

    @Test func `the end of a transport ends a call whose stream gives no more bytes`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let begun = OneShot<Void>()
        let transport = URLSessionTransport()
        let call = Task {
            try await transport.send(server.request(method: .post, body: waiting(begun)))
        }
        try await begun.wait()
        transport.shutdown()
        let error = await #expect(throws: NetworkError.self) { try await call.value }
        #expect(error?.kind == .cancelled && error?.reason == "the transport was shut down")
    }

    @Test func `an empty stream is sent as an empty body`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        _ = try await withTransport { try await $0.send(server.request(method: .post, body: .data(Data()))) }
        #expect(server.requests.first?.bodyCount == 0)
        #expect(server.requests.first?.headers["Content-Length"] == "0")
    }

    @Test func `a stream that gives another number of bytes than announced fails before I/O`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let request = server.request(method: .post, body: stream(announcing: 5))
        let error = try await withTransport { try await $0.failure(of: request) }
        #expect(error.transportFailure == .requestBody)
        #expect(server.record.acceptedConnections == 0)
    }

    @Test func `the error of a stream is the cause of the failure`() async throws {
        struct Broken: Error {}
        let server = try LoopbackServer { _ in .text("ok") }
        let body = BodyStream { AsyncThrowingStream { $0.finish(throwing: Broken()) } }
        let request = server.request(method: .post, body: .stream(body))
        let error = try await withTransport { try await $0.failure(of: request) }
        #expect(error.transportFailure == .requestBody)
        #expect(error.underlying is Broken)
    }

    @Test func `on a connection that the server closes, a body arrives complete or not at all`() async throws {
        let server = try LoopbackServer()
        let bytes = bytes[..<2_000]
        try await withTransport { transport in
            for _ in 0..<20 {
                server.enqueue(LoopbackResponse.text("a").ending(.closeOnNextRequest), .text("b"), .text("c"))
                for _ in 0..<2 {
                    do {
                        _ = try await transport.send(server.request(method: .post, body: .data(bytes)))
                    } catch let error as NetworkError {
                        #expect(error.transportFailure == .lostBeforeResponse)
                    }
                }
            }
        }
        #expect(server.requests.contains { $0.isComplete })
        #expect(server.requests.filter(\.isComplete).allSatisfy { $0.body == bytes })
    }

    @Test func `a spooled stream leaves no file behind`() async throws {
        let folder = FileManager.default.temporaryDirectory.path
        func spools() throws -> Set<String> {
            Set(try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("NetworkEngine-") })
        }
        let server = try LoopbackServer { _ in .text("ok") }
        let before = try spools()
        _ = try await withTransport { try await $0.send(server.request(method: .post, body: stream())) }
        // Other tests have theirs for a moment, too.
        while try !spools().subtracting(before).isEmpty { await Task.yield() }
    }
}
