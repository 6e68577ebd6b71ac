import Foundation
import NetworkEngine
import NetworkEngineCurl
import NetworkEngineTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)), .needsCurl) struct CurlUploadTests {
    private let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 131) })

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

    private func expectWhole(_ body: RequestBody, isAnnounced: Bool = true) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        _ = try await withTransport { try await $0.send(server.request(method: .post, body: body)) }
        let request = try #require(server.requests.first)
        #expect(request.body == bytes)
        #expect(request.headers.values(for: "Content-Length") == (isAnnounced ? [String(bytes.count)] : []))
        #expect(request.headers["Transfer-Encoding"] == (isAnnounced ? nil : "chunked"))
        #expect(!request.headers.contains("Expect"))
    }

    @Test func `rule 7: bytes in memory arrive whole, announced once by their length`() async throws {
        try await expectWhole(.data(bytes))
    }

    @Test func `rule 7: a slice of bytes is sent from its own start`() async throws {
        let padded = Data([1, 2, 3]) + bytes
        try await expectWhole(.data(padded[3...]))
    }

    @Test func `rule 7: a file arrives whole, announced once by its length`() async throws {
        try await withTemporaryFile { place in
            try bytes.write(to: place)
            try await expectWhole(.file(place))
        }
    }

    @Test(arguments: [HTTPMethod.post, .put, .patch])
    func `no bytes at all are announced as such`(method: HTTPMethod) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        for body in [RequestBody.none, .data(Data())] {
            _ = try await withTransport { try await $0.send(server.request(method: method, body: body)) }
        }
        #expect(server.requests.map { $0.headers.values(for: "Content-Length") } == [["0"], ["0"]])
    }

    @Test func `linux 3: a missing file and a folder fail before I/O`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        for url in [URL(filePath: "/nowhere/at/all"), URL(filePath: "/tmp"), URL(filePath: "/dev/zero")] {
            let request = server.request(method: .post, body: .file(url))
            let error = try await withTransport { try await $0.failure(of: request) }
            #expect(error.transportFailure == .requestBody)
        }
        #expect(server.record.acceptedConnections == 0)
    }

    @Test func `linux 3: a file that shrinks while it is sent is a failure, not a shorter body`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        try await withTemporaryFile { place in
            try Data(repeating: 1, count: 60_000_000).write(to: place)
            let handle = try FileHandle(forWritingTo: place)
            let context = TransportContext { _ in try? handle.truncate(atOffset: 10) }
            let request = server.request(method: .post, body: .file(place))
            let error = try await withTransport { try await $0.failure(of: request, context: context) }
            #expect(error.transportFailure == .requestBody)
        }
    }

    @Test(arguments: [HTTPMethod.post, .patch, "PURGE"], [0, 3, 200_000])
    func `L7: on a stale connection a request that is not idempotent arrives at most once`(
        method: HTTPMethod,
        count: Int
    ) async throws {
        let server = try LoopbackServer { _ in .text("late") }
        let body = count == 0 ? RequestBody.none : .data(bytes[..<count])
        try await withTransport { transport in
            for _ in 0..<20 {
                let seen = server.record.requestCount
                server.enqueue(LoopbackResponse.text("a").ending(.closeOnNextRequest))
                _ = try await transport.send(server.request())
                let result = await Result { try await transport.send(server.request(method: method, body: body)) }
                #expect(server.record.requestCount - seen - 1 <= 1)
                guard case .failure(let error) = result else { continue }
                #expect((error as? NetworkError)?.transportFailure == .lostBeforeResponse, "\(error)")
            }
        }
    }

    @Test func `L7: on a stale connection a GET is sent again, and gets its response`() async throws {
        let server = try LoopbackServer { _ in .text("late") }
        try await withTransport { transport in
            for _ in 0..<20 {
                server.enqueue(LoopbackResponse.text("a").ending(.closeOnNextRequest))
                _ = try await transport.send(server.request())
                let response = try await transport.send(server.request())
                #expect(response.text == "late")
            }
        }
    }

    @Test(arguments: [3, 200_000])
    func `L7: on a stale connection a PUT arrives whole, or is lost as such`(count: Int) async throws {
        let server = try LoopbackServer { _ in .text("late") }
        try await withTransport { transport in
            for _ in 0..<20 {
                server.enqueue(LoopbackResponse.text("a").ending(.closeOnNextRequest))
                _ = try await transport.send(server.request())
                let put = server.request(method: .put, body: .data(bytes[..<count]))
                let result = await Result { try await transport.send(put) }
                guard case .failure(let error) = result else { continue }
                #expect((error as? NetworkError)?.transportFailure == .lostBeforeResponse && count > 3, "\(error)")
            }
        }
        let whole = server.requests.filter { $0.method == .put && $0.isComplete }
        #expect(whole.allSatisfy { $0.body == bytes[..<count] })
    }

    @Test func `matrix 62: an early refusal of a large body is the response`() async throws {
        let server = try LoopbackServer { _ in LoopbackResponse.text("too large", status: 413) }
        server.enqueue(LoopbackResponse.text("too large", status: 413).early())
        let body = RequestBody.data(Data(repeating: 1, count: 4_000_000))
        let response = try await withTransport { try await $0.send(server.request(method: .post, body: body)) }
        #expect(response.statusCode == 413)
    }
}

extension Result where Failure == any Error {
    /// What an async body came to.
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
