import Foundation
import NetworkEngineStreams
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting

/// Trailer fields of a request.
@Suite(.timeLimit(.minutes(5)), .enabled(if: CurlTransport.isAvailable, "there is no libcurl here that can be used"))
struct RequestTrailerTests {
    private struct Broken: Error {}

    private func client(_ server: LoopbackServer, _ interceptors: [any RequestInterceptor] = []) -> HTTPClient {
        var configuration = NetworkConfiguration()
        configuration.transport = CurlTransport()
        return HTTPClient(baseURL: server.url, interceptors: interceptors, configuration: configuration)
    }

    private func body(_ pieces: [String]) -> BodyStream {
        BodyStream {
            AsyncThrowingStream { stream in
                for piece in pieces { stream.yield(Data(piece.utf8)) }
                stream.finish()
            }
        }
    }

    @Test func `a body of any size has its fields, also an empty one, on one connection`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let client = client(server)
        for size in [0, 1, 5_000_000] {
            let body = body([String(repeating: "x", count: size)]).withTrailers("X-Size") { ["X-Size": "\(size)"] }
            _ = try await client.send(.post("/").body(.stream(body)))
            let request = try #require(server.requests.last)
            #expect(request.bodyCount == size && request.trailers == ["X-Size": "\(size)"])
        }
        _ = try await client.send(.post("/").body(.stream(body(["plain"]))))
        #expect(server.requests.last?.trailers == [:] && server.requests.last?.headers["Trailer"] == nil)
        #expect(server.record.acceptedConnections == 1)
    }

    @Test func `the fields are made after the last byte, again for each attempt`() async throws {
        let server = try LoopbackServer()
        server.enqueue(.status(503), .text("ok"))
        let count = Locked(0)
        let body = body(["hello"]).withTrailers("X-Number") {
            ["X-Number": "\(count.withLock { count in count += 1; return count })"]
        }
        let client = client(server, [RetryPolicy(backoff: .constant(.zero))])
        _ = try await client.send(.put("/").body(.stream(body)))
        #expect(server.requests.map { $0.trailers["X-Number"] } == ["1", "2"])
    }

    @Test func `fields that cannot be made fail the request`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let body = body(["hello"]).withTrailers("X-Sum") { throw Broken() }
        let error = await #expect(throws: NetworkError.self) {
            try await client(server).send(.post("/").body(.stream(body)))
        }
        #expect(error?.transportFailure == .requestBody && error?.underlying is Broken)
        #expect(server.requests.allSatisfy { !$0.isComplete })
    }

    @Test(arguments: [["X-Other": "1"], ["X-Sum": "a\r\nX-Evil: 1"]] as [HTTPHeaders])
    func `fields with other names, or with a line break, fail the request`(fields: HTTPHeaders) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let body = body(["hello"]).withTrailers("X-Sum") { fields }
        await #expect(throws: NetworkError.self) { try await client(server).send(.post("/").body(.stream(body))) }
        #expect(server.requests.allSatisfy { !$0.isComplete })
    }

    @Test(arguments: ["Content-Length", "transfer-encoding", "Host", "Authorization", "X A", ""])
    func `names that do not belong after a body are refused before I/O`(name: String) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let body = body(["hello"]).withTrailers(name) { [:] }
        let error = await #expect(throws: NetworkError.self) {
            try await client(server).send(.post("/").body(.stream(body)))
        }
        #expect(error?.kind == .invalidRequest && server.record.acceptedConnections == 0)
    }

    @Test func `a writer without names cannot send fields`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let (body, writer) = BodyStream.makeStream()
        writer.finish(trailers: ["X-Sum": "1"])
        let error = await #expect(throws: NetworkError.self) {
            for try await _ in try await client(server).stream(.post("/"), sending: body) {}
        }
        #expect(error?.transportFailure == .requestBody || error?.kind == .invalidRequest)
        #expect(server.requests.allSatisfy { !$0.isComplete })
    }

    @Test func `compression leaves a body with fields after it as it is`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let body = body([String(repeating: "x", count: 5_000)]).withTrailers("X-Sum") { ["X-Sum": "1"] }
        _ = try await client(server, [RequestCompression()]).send(.post("/").body(.stream(body)))
        #expect(server.requests.first?.bodyCount == 5_000 && server.requests.first?.trailers == ["X-Sum": "1"])
    }
}
