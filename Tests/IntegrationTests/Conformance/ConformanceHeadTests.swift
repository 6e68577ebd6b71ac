import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Apple's HTTP API proposal: the conformance cases for heads. The guide *HTTP conformance* lists all cases.
@Suite(.timeLimit(.minutes(5))) struct ConformanceHeadTests {
    private func failure(of response: LoopbackResponse, over wire: Wire) async throws -> NetworkError {
        let server = try LoopbackServer { _ in response }
        return try await wire.withTransport { try await $0.failure(of: server.request()) }
    }

    private func response(
        to method: HTTPMethod = .get, _ response: LoopbackResponse, over wire: Wire
    ) async throws -> HTTPResponse {
        let server = try LoopbackServer { _ in response }
        return try await wire.withTransport { try await $0.send(server.request(method: method)) }
    }

    private func received(_ headers: HTTPHeaders, over wire: Wire) async throws -> LoopbackRequest {
        let server = try LoopbackServer { _ in .text("ok") }
        return try await wire.withTransport { transport in
            _ = try await transport.send(
                server.request(method: .post, headers: headers, body: .data(Data("hello".utf8))))
            return try #require(server.requests.first)
        }
    }

    @Test(arguments: Wire.all) func `bytes that are not HTTP are an error`(wire: Wire) async throws {
        #expect(try await failure(of: .raw("FOOBAR"), over: wire).kind == .protocolViolation)
    }

    @Test(arguments: Wire.all)
    func `a status line with a lowercase protocol is an error, except for URLSession on Linux`(wire: Wire) async throws
    {
        let answer = LoopbackResponse.raw("Http/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        guard wire.isCurl else {
            // “Response heads” in the guide about Linux.
            return #expect(try await response(answer, over: wire).statusCode == 200)
        }
        #expect(try await failure(of: answer, over: wire).kind == .protocolViolation)
    }

    @Test(arguments: Wire.all) func `a status line needs no reason, except for URLSession on Linux`(wire: Wire)
        async throws
    {
        let answer = LoopbackResponse.raw("HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n")
        guard wire.isCurl else {
            // “Responses that are refused” in the guide about Linux.
            return #expect(try await failure(of: answer, over: wire).kind == .protocolViolation)
        }
        #expect(try await response(answer, over: wire).statusCode == 200)
    }

    @Test(arguments: Wire.all, [204, 304])
    func `a response that has no body ends with its head, whatever its length says`(wire: Wire, status: Int)
        async throws
    {
        let answer = LoopbackResponse.raw(
            "HTTP/1.1 \(status) Reason\r\nContent-Length: 1000\r\n\r\n", then: .keepAlive)
        let response = try await response(answer, over: wire)
        #expect(response.statusCode == status && response.data.isEmpty)
    }

    @Test(arguments: Wire.all) func `the response to HEAD has the length and no body`(wire: Wire) async throws {
        let answer = LoopbackResponse.raw("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", then: .keepAlive)
        let response = try await response(to: .head, answer, over: wire)
        #expect(response.headers["Content-Length"] == "1000" && response.data.isEmpty && response.trailers == nil)
    }

    @Test(arguments: Wire.all, [404, 999]) func `a status is data, also one that nobody has defined`(
        wire: Wire, status: Int
    )
        async throws
    {
        let response = try await response(.status(status), over: wire)
        #expect(response.statusCode == status && response.data.isEmpty)
    }

    @Test(arguments: Wire.all, [HTTPMethod.head, .get, .put, .post, .delete])
    func `an empty response to a method is a response`(wire: Wire, method: HTTPMethod) async throws {
        let response = try await response(to: method, .text(""), over: wire)
        #expect(response.statusCode == 200 && response.data.isEmpty && response.trailers == nil)
    }

    @Test(arguments: Wire.all) func `a field of the app is sent as it is`(wire: Wire) async throws {
        #expect(try await received(["X-Foo": "BARbaz"], over: wire).headers["X-Foo"] == "BARbaz")
    }

    @Test(arguments: Wire.all) func `a field without a value is sent`(wire: Wire) async throws {
        #expect(try await received(["X-Test": ""], over: wire).headers.values(for: "X-Test") == [""])
    }

    @Test(arguments: Wire.all) func `several values of a field are sent, in order`(wire: Wire) async throws {
        var headers = HTTPHeaders()
        headers.add("one", for: "X-Test")
        headers.add("two", for: "X-Test")
        let values = try await received(headers, over: wire).headers.values(for: "X-Test")
        #expect(values.joined(separator: ", ") == "one, two")
    }

    @Test(arguments: Wire.all) func `several values of a field are received, in order`(wire: Wire) async throws {
        let answer = LoopbackResponse.text("").header("X-Test", "one").header("X-Test", "two")
        let values = try await response(answer, over: wire).headers.values(for: "X-Test")
        #expect(values.joined(separator: ", ") == "one, two")
    }
}
