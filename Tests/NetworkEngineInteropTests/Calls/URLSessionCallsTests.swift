import Foundation
import NetworkEngineInterop
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An SDK's protocol for its session.
private protocol TheirSession: Sendable {
    func data(for request: URLRequest) async throws -> (Data, URLResponse)
    func upload(for request: URLRequest, from data: Data) async throws -> (Data, URLResponse)
    func upload(for request: URLRequest, fromFile file: URL) async throws -> (Data, URLResponse)
    func download(for request: URLRequest) async throws -> (URL, URLResponse)
}

extension HTTPClient: TheirSession {}

@Suite(.timeLimit(.minutes(1))) struct URLSessionCallsTests {
    private static func echo(_ request: LoopbackRequest) -> LoopbackResponse {
        switch request.path {
        case "/missing": .text("none", status: 404)
        case "/moved": .redirect(to: "/there")
        default: .text("\(request.method) \(request.target) \(request.text)")
        }
    }

    private static func status(of response: URLResponse) -> Int? { (response as? HTTPURLResponse)?.statusCode }

    @Test(arguments: Wire.all)
    func `a client has the calls of a session`(wire: Wire) async throws {
        let rig = try InteropRig(wire, handler: Self.echo)
        let session: any TheirSession = rig.client
        let (data, response) = try await session.data(for: rig.request("a"))
        #expect(String(decoding: data, as: UTF8.self) == "GET /a " && Self.status(of: response) == 200)
        #expect(response.url == rig.server.url.appendingPathComponent("a"))
        let (sent, _) = try await session.upload(for: rig.request("b", "PUT"), from: Data("body".utf8))
        #expect(String(decoding: sent, as: UTF8.self) == "PUT /b body")
        let folder = try TemporaryFolder()
        let (filed, _) = try await session.upload(
            for: rig.request("c", "POST"), fromFile: folder.file("c", "file"))
        #expect(String(decoding: filed, as: UTF8.self) == "POST /c file")
        let (file, _) = try await session.download(for: rig.request("d"))
        #expect(try String(contentsOf: file, encoding: .utf8) == "GET /d ")
        try FileManager.default.removeItem(at: file)
        let (bytes, head) = try await rig.client.bytes(for: rig.request("e"))
        var text: [UInt8] = []
        for try await byte in bytes { text.append(byte) }
        #expect(String(decoding: text, as: UTF8.self) == "GET /e " && Self.status(of: head) == 200)
    }

    @Test func `a status is data`() async throws {
        let rig = try InteropRig(handler: Self.echo)
        let request = rig.request("missing")
        let (data, response) = try await rig.client.data(for: request)
        #expect(String(decoding: data, as: UTF8.self) == "none" && Self.status(of: response) == 404)
        let (file, head) = try await rig.client.download(for: request)
        #expect(try String(contentsOf: file, encoding: .utf8) == "none")
        #expect(Self.status(of: head) == 404)
        try FileManager.default.removeItem(at: file)
        let (bytes, start) = try await rig.client.bytes(for: request)
        #expect(try await bytes.reduce(into: [UInt8]()) { $0.append($1) } == Array("none".utf8))
        #expect(Self.status(of: start) == 404)
        await #expect(throws: NetworkError.self) { try await rig.client.stream(request) }
        #expect(try await rig.client.stream(rig.request("a")).statusCode == 200)
    }

    @Test func `a redirect is followed, and its address is that of the response`() async throws {
        let rig = try InteropRig(handler: Self.echo)
        let (_, response) = try await rig.client.data(for: rig.request("moved"))
        #expect(response.url?.path == "/there")
    }

    private struct Again: RequestInterceptor {
        func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision {
            error.statusCode == 503 ? .retry : .doNotRetry
        }
    }

    @Test func `a policy sees the status before the guest`() async throws {
        let rig = try InteropRig(with: { _ in [Again()] }, handler: { _ in .status(503) })
        let (_, response) = try await rig.client.data(for: rig.request("a"))
        #expect(Self.status(of: response) == 503 && rig.server.requests.count == 3)
    }

    @Test func `the body of a request can be a stream, and is sent again after a refresh`() async throws {
        let refresh = CountedRefresh()
        let rig = try InteropRig(
            with: { [refresh.refresher($0)] },
            handler: { request in
                let answer = CountedRefresh.answer(request)
                return answer.status == 200 ? .text("\(request.bodyCount)") : answer
            })
        for length in [5, 0, 3 << 20] {
            var request = rig.request("a", "POST", ["Content-Length": "\(length)", "Connection": "close"])
            request.httpBodyStream = InputStream(data: Data(repeating: 0x61, count: length))
            let (data, response) = try await rig.client.data(for: request)
            #expect(String(decoding: data, as: UTF8.self) == "\(length)" && Self.status(of: response) == 200)
        }
        #expect(refresh.count.withLock { $0 } == 1)
    }

    @Test func `a body of many pieces arrives byte by byte`() async throws {
        let rig = try InteropRig { _ in .data(Data(repeating: 7, count: 1 << 20)) }
        let (bytes, _) = try await rig.client.bytes(for: rig.request("a"))
        var sum = 0
        for try await byte in bytes { sum += Int(byte) }
        #expect(sum == 7 << 20)
    }
}
