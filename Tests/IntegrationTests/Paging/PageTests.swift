import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineStreams
@testable import NetworkEngineTesting

/// Pages from real servers, over every transport.
@Suite(.timeLimit(.minutes(5))) struct PageTests {
    private static func client(_ server: LoopbackServer, _ transport: any Transport, token: String? = nil) -> HTTPClient
    {
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        return HTTPClient(
            baseURL: server.url,
            interceptors: token.map { token in [TokenSource { token }] } ?? [],
            configuration: configuration
        )
    }

    /// Answers `/users?page=n` with the number and a link to the next page, up to a last page.
    private static func server(last: Int) throws -> LoopbackServer {
        try LoopbackServer { request in
            let page = request.query.flatMap { Int($0.dropFirst("page=".count)) } ?? 1
            var response = LoopbackResponse.json("[\(page)]")
            response.headers.add("</users?page=1>; rel=\"first\"", for: "Link")
            if page < last { response.headers.add("<?page=\(page + 1)>; rel=\"next\"", for: "Link") }
            return response
        }
    }

    private static func all(_ pages: Pages<[Int]>) async throws(NetworkError) -> [Int] {
        var all: [Int] = []
        for try await page in pages { all += page }
        return all
    }

    @Test(arguments: Wire.all) func `links are followed to the last page`(_ wire: Wire) async throws {
        let server = try Self.server(last: 4)
        try await wire.withTransport { transport in
            let pages = Self.client(server, transport, token: "t").pages(
                of: [Int].self, from: .get("/users"), by: .link)
            #expect(server.requests.isEmpty)
            let numbers = try await Self.all(pages)
            #expect(numbers == [1, 2, 3, 4])
        }
        #expect(server.requests.map(\.target) == ["/users", "/users?page=2", "/users?page=3", "/users?page=4"])
        #expect(server.requests.allSatisfy { $0.headers["Authorization"] == "Bearer t" })
    }

    @Test(arguments: Wire.all) func `an endless server ends at the limit`(_ wire: Wire) async throws {
        let server = try Self.server(last: .max)
        try await wire.withTransport { transport in
            var pages = Self.client(server, transport).pages(of: [Int].self, from: .get("/users"), by: .link)
            pages.limit = 5
            let error = await #expect(throws: NetworkError.self) { try await Self.all(pages) }
            #expect(error?.kind == .limit && server.requests.count == 5)
        }
    }

    @Test(arguments: Wire.all) func `a link to another origin gets no credential`(_ wire: Wire) async throws {
        let other = try LoopbackServer { _ in .json("[2]") }
        let server = try LoopbackServer { [url = other.url] _ in
            var response = LoopbackResponse.json("[1]")
            response.headers["Link"] = "<\(url)/users>; rel=next"
            return response
        }
        try await wire.withTransport { transport in
            let client = Self.client(server, transport, token: "t")
            let endpoint = Endpoint.get("/users", headers: ["Cookie": "a=b", "X-Api-Key": "k", "X-App": "1"])
            let numbers = try await Self.all(client.pages(of: [Int].self, from: endpoint, by: .link))
            #expect(numbers == [1, 2])
        }
        let request = try #require(other.requests.first)
        for name in ["Authorization", "Cookie", "X-Api-Key", "X-App"] { #expect(request.headers[name] == nil) }
        #expect(server.requests.first?.headers["Authorization"] == "Bearer t")
    }

    @Test(arguments: Wire.all) func `a link after a redirect is resolved against the last address`(_ wire: Wire)
        async throws
    {
        let server = try LoopbackServer { request in
            if request.path == "/users" { return .redirect(to: "/v2/users") }
            var response = LoopbackResponse.json(request.query == nil ? "[1]" : "[2]")
            if request.query == nil { response.headers["Link"] = "<users?page=2>; rel=next" }
            return response
        }
        try await wire.withTransport { transport in
            let pages = Self.client(server, transport).pages(of: [Int].self, from: .get("/users"), by: .link)
            let numbers = try await Self.all(pages)
            #expect(numbers == [1, 2])
        }
        #expect(server.requests.map(\.target) == ["/users", "/v2/users", "/v2/users?page=2"])
    }

    @Test(arguments: Wire.all) func `a page that is awaited can be canceled`(_ wire: Wire) async throws {
        let gate = LoopbackBarrier()
        let server = try LoopbackServer { _ in LoopbackResponse.json("[1]").held(by: gate) }
        try await wire.withTransport { transport in
            let pages = Self.client(server, transport).pages(of: [Int].self, from: .get("/users"), by: .number())
            let task = Task { () async -> NetworkError? in
                do throws(NetworkError) {
                    _ = try await Self.all(pages)
                    return nil
                } catch {
                    return error
                }
            }
            try await gate.arrivals(atLeast: 1)
            task.cancel()
            #expect(await task.value?.kind == .cancelled)
            try await server.wait { $0.openConnections == 0 }
        }
        #expect(server.requests.count == 1)
    }

    @Test(arguments: Wire.all) func `a provider pages by offset`(_ wire: Wire) async throws {
        let server = try LoopbackServer { request in
            let offset = request.query.flatMap { Int($0.dropFirst("limit=2&offset=".count)) } ?? 0
            return .json(offset < 6 ? "[\(offset), \(offset + 1)]" : "[]")
        }
        try await wire.withTransport { transport in
            var configuration = NetworkConfiguration()
            configuration.transport = transport
            let provider = NetworkProvider<AnyTarget>(configuration: configuration)
            let target = AnyTarget(baseURL: server.url, path: "/users?limit=2")
            let numbers = try await Self.all(provider.pages(of: [Int].self, from: target, by: .offset()))
            #expect(numbers == Array(0..<6))
        }
        #expect(server.requests.map(\.query).suffix(2) == ["limit=2&offset=4", "limit=2&offset=6"])
    }
}
