import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Request bodies, over every transport.
@Suite(.timeLimit(.minutes(5))) struct TransportUploadTests {
    private let bytes = Data.sample(300_000)

    private func expectWhole(over wire: Wire, _ body: RequestBody) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        _ = try await wire.withTransport { try await $0.send(server.request(method: .post, body: body)) }
        let request = try #require(server.requests.first)
        #expect(request.body == bytes)
        #expect(request.headers.values(for: "Content-Length") == [String(bytes.count)])
        #expect(!request.headers.contains("Transfer-Encoding"))
        #expect(!request.headers.contains("Expect"))
    }

    @Test(arguments: Wire.all) func `bytes in memory arrive complete, with one Content-Length`(wire: Wire)
        async throws
    {
        try await expectWhole(over: wire, .data(bytes))
    }

    @Test(arguments: Wire.all) func `a slice of bytes is sent from its start index`(wire: Wire) async throws {
        let padded = Data([1, 2, 3]) + bytes
        try await expectWhole(over: wire, .data(padded[3...]))
    }

    @Test(arguments: Wire.all) func `a file arrives complete, with one Content-Length`(wire: Wire)
        async throws
    {
        try await withTemporaryFile { place in
            try bytes.write(to: place)
            try await expectWhole(over: wire, .file(place))
        }
    }

    @Test(arguments: Wire.all) func `a missing file and a folder fail before I/O`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        for url in [URL(filePath: "/nowhere/at/all"), URL(filePath: "/tmp"), URL(filePath: "/dev/zero")] {
            let request = server.request(method: .post, body: .file(url))
            let error = try await wire.withTransport { try await $0.failure(of: request) }
            #expect(error.transportFailure == .requestBody)
        }
        #expect(server.record.acceptedConnections == 0)
    }

    @Test(arguments: Wire.all) func `a file that shrinks while it is sent is a failure, not a shorter body`(
        wire: Wire
    ) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        try await withTemporaryFile { place in
            try Data(repeating: 1, count: 60_000_000).write(to: place)
            let handle = try FileHandle(forWritingTo: place)
            let context = TransportContext { _ in try? handle.truncate(atOffset: 10) }
            let request = server.request(method: .post, body: .file(place))
            let error = try await wire.withTransport { try await $0.failure(of: request, context: context) }
            #expect(error.transportFailure == .requestBody)
        }
    }

    @Test(arguments: Wire.all) func `a body whose reader is canceled between two chunks never arrives complete`(
        wire: Wire
    ) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let endless = BodyStream { AsyncThrowingStream(unfolding: { Data("piece".utf8) }) }
        let body = BodyStream(isReplayable: false) {
            AsyncThrowingStream { continuation in
                Task {
                    do {
                        var count = 0
                        for try await piece in endless {
                            continuation.yield(piece)
                            count += 1
                            if count == 3 { withUnsafeCurrentTask { $0?.cancel() } }
                        }
                        continuation.finish()
                    } catch {
                        continuation.finish(throwing: error)
                    }
                }
            }
        }
        let request = server.request(method: .post, body: .stream(body))
        await #expect(throws: (any Error).self) {
            try await wire.withTransport { try await $0.send(request) }
        }
        #expect(!server.requests.contains { $0.isComplete })
    }

    @Test(arguments: Wire.all) func `an early error response to a large body is the response`(wire: Wire)
        async throws
    {
        let server = try LoopbackServer { _ in LoopbackResponse.text("too large", status: 413) }
        server.enqueue(LoopbackResponse.text("too large", status: 413).early())
        let body = RequestBody.data(Data(repeating: 1, count: 4_000_000))
        let response = try await wire.withTransport { try await $0.send(server.request(method: .post, body: body)) }
        #expect(response.statusCode == 413)
    }
}
