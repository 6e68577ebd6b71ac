import Foundation
import Testing

@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5)))
struct LoopbackFaultTests {
    private static let points: [LoopbackPoint] = [
        .connect, .requestStart, .requestHead, .requestBody(afterBytes: 2), .responseStart,
        .responseHead(afterBytes: 9),
        .responseBody(afterBytes: 3), .responseEnd,
    ]
    private static let request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody"

    private static func received(at point: LoopbackPoint) -> String {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 5\r\n\r\n"
        switch point {
        case .responseHead(afterBytes: 9): return "HTTP/1.1 "
        case .responseBody(afterBytes: 3): return head + "hel"
        case .responseEnd: return head + "hello"
        default: return ""
        }
    }

    @Test(arguments: points)
    func `a close ends the connection after the sent bytes`(point: LoopbackPoint) throws {
        let server = try LoopbackServer()
        server.enqueue(.text("hello").fault(.close, at: point))
        let client = try RawClient(server)
        try? client.send(Self.request)
        let text = (try? client.readToEnd()) ?? ""
        #expect(text == Self.received(at: point))
    }

    @Test(arguments: points)
    func `a reset makes the client's next call fail`(point: LoopbackPoint) throws {
        let server = try LoopbackServer()
        server.enqueue(.text("hello").fault(.reset, at: point))
        let client = try RawClient(server)
        #expect(throws: RawClient.Failure.self) {
            try client.send(Self.request)
            _ = try client.readToEnd()
        }
    }

    @Test(arguments: points)
    func `a stall keeps the connection silent until the client goes`(point: LoopbackPoint) async throws {
        let server = try LoopbackServer()
        server.enqueue(.text("hello").fault(.stall, at: point))
        let client = try RawClient(server)
        try client.send(Self.request)
        let expected = Self.received(at: point)
        if !expected.isEmpty { #expect(try client.read(until: expected) == expected) }
        try await server.wait { $0.openConnections == 1 }
        client.reset()
        try await server.wait { $0.openConnections == 0 }
    }

    @Test(arguments: points)
    func `a half-close ends the response and keeps reading`(point: LoopbackPoint) async throws {
        let server = try LoopbackServer()
        server.enqueue(.text("hello").fault(.halfClose, at: point))
        let client = try RawClient(server)
        try client.send(Self.request)
        #expect(try client.readToEnd() == Self.received(at: point))
        try client.send("more")
        try await server.wait { $0.openConnections == 1 }
    }
}
