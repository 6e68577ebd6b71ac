import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5)), .needsCurl) struct CurlUploadTests {
    private let bytes = Data.sample(300_000)

    @Test(arguments: [HTTPMethod.post, .put, .patch])
    func `an empty body is sent with length 0`(method: HTTPMethod) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        for body in [RequestBody.absent, .data(Data())] {
            _ = try await withTransport { try await $0.send(server.request(method: method, body: body)) }
        }
        #expect(server.requests.map { $0.headers.values(for: "Content-Length") } == [["0"], ["0"]])
    }

    @Test(arguments: [HTTPMethod.post, .patch, "PURGE"], [0, 3, 200_000])
    func `a request that is not idempotent arrives at most once on a stale connection`(
        method: HTTPMethod,
        count: Int
    ) async throws {
        let server = try LoopbackServer { _ in .text("late") }
        let body = count == 0 ? RequestBody.absent : .data(bytes[..<count])
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

    @Test func `a GET on a stale connection is sent again`() async throws {
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
    func `a PUT on a stale connection arrives complete or fails as lost`(count: Int) async throws {
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

}

extension Result where Failure == any Error {
    /// The result of an async body.
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
