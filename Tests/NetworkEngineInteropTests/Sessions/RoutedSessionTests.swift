import Foundation
import NetworkEngineInterop
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(1))) struct RoutedSessionTests {
    private static func echo(_ request: LoopbackRequest) -> LoopbackResponse {
        switch request.path {
        case "/missing": .text("none", status: 404)
        case "/refused": .text("sign in", status: 401).header("WWW-Authenticate", "Basic realm=\"all\"")
        case "/moved": .redirect(to: "/there")
        default: .text("\(request.method) \(request.path) \(request.text)")
        }
    }

    @Test(arguments: Wire.all)
    func `a session sends its requests through the client`(wire: Wire) async throws {
        let events = Locked<[String]>([])
        let rig = try InteropRig(wire, with: { _ in [Noting(events)] }, handler: Self.echo)
        let guest = Guest(rig.routed)
        #expect(try await guest.start(rig.request("a")).text == "GET /a ")
        var request = rig.request("b", "POST")
        request.httpBody = Data("body".utf8)
        #expect(try await guest.start(request).text == "POST /b body")
        request.httpBodyStream = InputStream(data: Data("stream".utf8))
        #expect(try await guest.start(request).text == "POST /b stream")
        #expect(try await guest.start(rig.request("missing")).value.response.statusCode == 404)
        let moved = try await guest.start(rig.request("moved")).value
        #expect(moved.response.url?.path == "/there" && moved.response.statusCode == 200)
        #expect(events.withLock { $0 } == ["/a", "/b", "/b", "/missing", "/moved"])
        #expect(rig.server.requests.count == 6)
    }

    @Test func `the body of an upload task is sent`() async throws {
        let rig = try InteropRig(handler: Self.echo)
        let guest = Guest(rig.routed)
        #expect(try await guest.upload(rig.request("a", "PUT"), Data("body".utf8)).text == "PUT /a body")
        #expect(try await guest.upload(rig.request("a", "PUT"), Data()).text == "PUT /a ")
        let folder = try TemporaryFolder()
        let file = try folder.file("c", "file")
        #expect(try await guest.upload(rig.request("b", "POST"), fromFile: file).text == "POST /b file")
    }

    @Test func `a challenge is the client's, and its response the guest's`() async throws {
        let rig = try InteropRig(handler: Self.echo)
        for _ in 0..<3 {
            let value = try await Guest(rig.routed).start(rig.request("refused")).value
            #expect(value.response.statusCode == 401 && value.data == Data("sign in".utf8))
        }
        let signed = HTTPClient(
            baseURL: rig.server.url,
            interceptors: [BasicAuth(username: "u", password: "p", origins: [rig.server.url])],
            configuration: rig.client.engine.configuration)
        let guest = Guest(.ephemeral.routed(through: signed))
        _ = try await guest.start(rig.request("a")).value
        #expect(rig.server.requests.last?.headers["Authorization"]?.hasPrefix("Basic ") == true)
    }

    @Test func `a delegate gets the pieces as they arrive`() async throws {
        let barrier = LoopbackBarrier()
        let rig = try InteropRig { _ in
            .text("firstsecond").chunked(size: 5).held(by: barrier, at: .responseBody(afterBytes: 10))
        }
        let guest = DelegatedGuest(rig.routed)
        _ = guest.start(rig.request("a"))
        try await guest.pieces.wait()
        #expect(guest.log.first == "200" && !guest.log.contains("end"))
        barrier.open()
        let error = try await guest.ending()
        #expect(error == nil)
        #expect(guest.log.first == "200" && guest.log.last == "end")
        #expect(guest.log.dropFirst().dropLast().joined() == "firstsecond")
    }

    @Test func `a delegate gets a failure once`() async throws {
        let rig = try InteropRig { _ in .text("0123456789").fault(.close, at: .responseBody(afterBytes: 4)) }
        let guest = DelegatedGuest(rig.routed)
        _ = guest.start(rig.request("a"))
        let error = try await guest.ending()
        #expect((error as? URLError)?.code == .networkConnectionLost)
        #expect(guest.log.filter { $0 == "end" }.count == 1)
    }

    @Test func `a request has the headers and the timeout of the configuration, unless it has its own`() async throws {
        let rig = try InteropRig { request in
            request.path == "/silent"
                ? .status(200).held(by: LoopbackBarrier())
                : .text("\(request.headers["X-A"] ?? "") \(request.headers["X-B"] ?? "")")
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-A": "session", "X-B": "session"]
        let guest = Guest(configuration.routed(through: rig.client))
        #expect(try await guest.start(rig.request("a", "GET", ["x-b": "own"])).text == "session own")
        configuration.timeoutIntervalForRequest = 0.1
        let hasty = Guest(configuration.routed(through: rig.client))
        #expect(try await hasty.start(rig.request("silent")).error?.code == .timedOut)
    }

    @Test func `two sessions have their own clients, and other sessions none`() async throws {
        let first = try InteropRig { _ in .text("a") }
        let events = Locked<[String]>([])
        let second = try InteropRig(with: { _ in [Noting(events)] }, handler: { _ in .text("b") })
        let guests = (Guest(first.routed), Guest(second.routed), Guest(.ephemeral))
        for guest in [guests.0, guests.1, guests.2] {
            _ = try await guest.start(first.request("one")).value
        }
        #expect(events.withLock { $0 } == ["/one"])
    }

    @Test func `a session keeps its client`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let guest = Guest(.ephemeral.routed(through: HTTPClient(baseURL: server.url)))
        #expect(try await guest.start(URLRequest(url: server.url)).text == "ok")
    }

    @Test func `a client is released with its configuration`() throws {
        weak var released: Kept?
        let base = try #require(URL(string: "http://localhost"))
        do {
            let kept = Kept()
            released = kept
            let client = HTTPClient(baseURL: base, interceptors: [Keeping(kept)])
            let routed = URLSessionConfiguration.ephemeral.routed(through: client)
            #expect(routed.protocolClasses?.isEmpty == false && released != nil)
        }
        _ = URLSessionConfiguration.ephemeral.routed(through: HTTPClient(baseURL: base))
        #expect(released == nil)
    }

    @Test func `a session that does not keep its client fails, and sends nothing by itself`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let configuration = URLSessionConfiguration.ephemeral.routed(through: HTTPClient(baseURL: server.url))
        configuration.urlCredentialStorage = nil
        let error = try await Guest(configuration).start(URLRequest(url: server.url)).error
        #expect(error?.networkError?.kind == .unsupported && server.requests.isEmpty)
    }

    @Test func `a client has one route, whatever number of configurations use it`() throws {
        let base = try #require(URL(string: "http://localhost"))
        let client = HTTPClient(baseURL: base)
        var configurations: [URLSessionConfiguration] = []
        func loader(_ client: HTTPClient) -> ObjectIdentifier? {
            let configuration = URLSessionConfiguration.ephemeral.routed(through: client)
            configurations.append(configuration)
            return configuration.protocolClasses?.first.map { ObjectIdentifier($0) }
        }
        #expect(loader(client) == loader(client))
        #expect(loader(client) != loader(client.adding(OwnedOrigins([base]))))
        #expect(configurations.count == 4)
    }

    #if canImport(FoundationNetworking)
    @Test func `a download task fails before any I/O, where Foundation crashes`() async throws {
        let rig = try InteropRig(handler: Self.echo)
        let error = try await Guest(rig.routed).download(rig.request("a")).error
        #expect(error?.networkError?.kind == .unsupported && rig.server.requests.isEmpty)
    }
    #endif
}

/// Records the paths of a client's calls as they start.
private struct Noting: RequestInterceptor {
    let paths: Locked<[String]>

    init(_ paths: Locked<[String]>) { self.paths = paths }

    func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        paths.withLock { $0.append(request.url.path) }
        return request
    }
}

private final class Kept: Sendable {}

private struct Keeping: RequestInterceptor {
    let kept: Kept

    init(_ kept: Kept) { self.kept = kept }
}
