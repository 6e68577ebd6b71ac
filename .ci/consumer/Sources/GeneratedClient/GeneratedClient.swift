import Foundation
import HTTPTypes
import NetworkEngine
import NetworkEngineTesting
import OpenAPIRuntime

#if os(Linux)
import NetworkEngineCurl
#endif

/// Runs a client like those from swift-openapi-generator over the chain, and uses key-bound tokens.
@main struct GeneratedClient {
    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    static func check(_ condition: Bool, _ text: String) throws(Failed) {
        guard condition else { throw Failed(description: text) }
    }

    static func main() async throws {
        var transports: [(String, NetworkConfiguration)] = [("URLSession", NetworkConfiguration())]
        #if os(Linux)
        var configuration = NetworkConfiguration()
        configuration.transport = CurlTransport()
        transports.append(("libcurl", configuration))
        #endif
        for (name, configuration) in transports {
            try await refreshOnce(configuration)
            try await uploadAndDownload(configuration)
            try await failingStatus(configuration)
            try await boundTokens(configuration)
            // URLSession doesn't support back pressure: unread bytes wait in a file.
            if name == "libcurl" {
                try await slowReader(configuration)
                try await slowServer(configuration)
            }
            print("generated clients run over \(name)")
        }
    }

    /// One operation of a generated client.
    static func getUser(_ transport: any ClientTransport, _ server: URL) async throws -> (Int, String) {
        guard let method = HTTPTypes.HTTPRequest.Method("GET") else { throw Failed(description: "GET is no method") }
        let request = HTTPTypes.HTTPRequest(method: method, path: "/users/a%20b?full=true")
        let (response, body) = try await transport.send(request, body: nil, baseURL: server, operationID: "getUser")
        return (response.status.code, try await text(of: body))
    }

    static func text(of body: HTTPBody?) async throws -> String {
        var bytes: [UInt8] = []
        if let body { for try await piece in body { bytes += piece } }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// 40 concurrent calls with an old token: one refresh, and each call gets its value.
    static func refreshOnce(_ configuration: NetworkConfiguration) async throws {
        let server = try LoopbackServer { request in
            guard request.headers["Authorization"] == "Bearer new" else { return .status(401) }
            return .text(request.target)
        }
        let refreshes = Counter()
        let refresher = TokenRefresher(store: InMemoryCredentialStore(BearerToken("old"))) { _, _ in
            await refreshes.increment()
            return BearerToken("new")
        }
        let client = HTTPClient(
            baseURL: server.url, interceptors: .recommended(credential: refresher), configuration: configuration)
        let transport = NetworkEngineTransport(client: client)
        try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for _ in 0..<40 { group.addTask { try await getUser(transport, server.url) } }
            for try await (status, text) in group {
                try check(status == 200 && text == "/users/a%20b?full=true", "a call got \(status) \(text)")
            }
        }
        try check(await refreshes.count == 1, "the token was refreshed \(await refreshes.count) times")
    }

    /// 20 MB in each direction, chunk by chunk.
    static func uploadAndDownload(_ configuration: NetworkConfiguration) async throws {
        let size = 20 << 20
        var served = LoopbackConfiguration()
        served.bodyRecordingLimit = 0
        let file = LoopbackResponse(body: .repeating(Data("0123456789".utf8), count: size))
        let server = try LoopbackServer(served) { _ in file }
        let transport = NetworkEngineTransport(client: HTTPClient(baseURL: server.url, configuration: configuration))
        guard let method = HTTPTypes.HTTPRequest.Method("POST") else { throw Failed(description: "POST is no method") }
        let left = Counter(size)
        let pieces = AsyncThrowingStream<ArraySlice<UInt8>, any Error> {
            await left.take(1 << 16).map { ArraySlice([UInt8](repeating: 7, count: $0)) }
        }
        let body = HTTPBody(pieces, length: .known(Int64(size)), iterationBehavior: .single)
        let request = HTTPTypes.HTTPRequest(method: method, path: "/files")
        let (response, answer) = try await transport.send(
            request, body: body, baseURL: server.url, operationID: "upload")
        try check(response.status.code == 200, "the upload got \(response.status.code)")
        try check(server.record.bodyByteCount == size, "the server got \(server.record.bodyByteCount) bytes")
        var count = 0
        if let answer { for try await piece in answer { count += piece.count } }
        try check(count == size, "the client got \(count) bytes")
    }

    /// An unread response isn't sent either, except for what fits in both systems' buffers.
    static func slowReader(_ configuration: NetworkConfiguration) async throws {
        let (piece, sent) = (Data(count: 1 << 16), Counter())
        let server = try LoopbackServer()
        server.enqueue(
            .duplex { exchange in
                for _ in 0..<1_000 {
                    try await exchange.send(piece)
                    await sent.add(piece.count)
                }
            })
        let transport = NetworkEngineTransport(client: HTTPClient(baseURL: server.url, configuration: configuration))
        guard let method = HTTPTypes.HTTPRequest.Method("GET") else { throw Failed(description: "GET is no method") }
        let request = HTTPTypes.HTTPRequest(method: method, path: "/files")
        let (_, body) = try await transport.send(request, body: nil, baseURL: server.url, operationID: "download")
        let ahead = try await sent.settled()
        try check(ahead < 20 << 20, "the server sent \(ahead) bytes that nobody read")
        var count = 0
        if let body { for try await piece in body { count += piece.count } }
        try check(count == 1_000 << 16, "the client got \(count) bytes")
    }

    /// A body of unknown length is read only as fast as the server accepts it.
    static func slowServer(_ configuration: NetworkConfiguration) async throws {
        let (mayRead, continuation) = AsyncStream<Void>.makeStream()
        let server = try LoopbackServer()
        server.enqueue(
            .receiving { exchange in
                for await _ in mayRead {}
                var count = 0
                for try await piece in exchange.received { count += piece.count }
                return .text("\(count)")
            })
        let transport = NetworkEngineTransport(client: HTTPClient(baseURL: server.url, configuration: configuration))
        guard let method = HTTPTypes.HTTPRequest.Method("POST") else { throw Failed(description: "POST is no method") }
        let (left, read) = (Counter(1_000 << 16), Counter())
        let pieces = AsyncThrowingStream<ArraySlice<UInt8>, any Error> {
            let count = await left.take(1 << 16)
            await read.add(count ?? 0)
            return count.map { ArraySlice([UInt8](repeating: 7, count: $0)) }
        }
        let body = HTTPBody(pieces, length: .unknown, iterationBehavior: .single)
        let request = HTTPTypes.HTTPRequest(method: method, path: "/files")
        async let call = transport.send(request, body: body, baseURL: server.url, operationID: "upload")
        let ahead = try await read.settled()
        try check(ahead < 20 << 20, "\(ahead) bytes were read that the server did not take")
        continuation.finish()
        let answer = try await text(of: call.1)
        try check(answer == "\(1_000 << 16)", "the server got \(answer) bytes")
    }

    /// A failure status is a value, with its body.
    static func failingStatus(_ configuration: NetworkConfiguration) async throws {
        let server = try LoopbackServer { _ in .json(#"{"code": 7}"#, status: 404) }
        let transport = NetworkEngineTransport(client: HTTPClient(baseURL: server.url, configuration: configuration))
        let (status, text) = try await getUser(transport, server.url)
        try check(status == 404 && text == #"{"code": 7}"#, "the failure is \(status) \(text)")
    }

    /// The server requires a nonce, then a new token.
    static func boundTokens(_ configuration: NetworkConfiguration) async throws {
        let server = try LoopbackServer { request in
            let proof = request.headers["DPoP"] ?? ""
            guard proof.hasSuffix("|n1") else {
                return .status(401).header("WWW-Authenticate", #"DPoP error="use_dpop_nonce""#)
                    .header("DPoP-Nonce", "n1")
            }
            guard request.headers["Authorization"] == "DPoP new" else {
                return .status(401).header("WWW-Authenticate", #"DPoP error="invalid_token""#)
            }
            return .text(proof)
        }
        let refresher = TokenRefresher(store: InMemoryCredentialStore(DPoPToken(access: "old"))) { _, _ in
            DPoPToken(access: "new")
        }
        let dpop = DPoP { "\($0.method) \($0.address) \($0.token ?? "-")|\($0.nonce ?? "-")" }
        let client = HTTPClient(
            baseURL: server.url, interceptors: [dpop] + .recommended(credential: refresher),
            configuration: configuration)
        let proof = try await client.string(.post("/pay?x=1"))
        try check(proof == "POST \(server.url.absoluteString)/pay new|n1", "the proof is \(proof)")
        let before = server.requests.count
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await client.string(.get("/me")) } }
            for try await proof in group { try check(proof.hasSuffix(" new|n1"), "a proof is \(proof)") }
        }
        try check(server.requests.count == before + 20, "requests were repeated without need")
    }
}

actor Counter {
    private(set) var count: Int

    init(_ count: Int = 0) { self.count = count }

    func increment() { add(1) }

    func add(_ number: Int) { count += number }

    /// Returns the count once it's above zero and hasn't changed for half a second.
    func settled() async throws -> Int {
        var (last, same) = (0, 0)
        while same < 50 {
            try await Task.sleep(for: .milliseconds(10))
            (same, last) = count > 0 && count == last ? (same + 1, last) : (0, count)
        }
        return last
    }

    /// Takes up to the given number; `nil` if nothing is left.
    func take(_ most: Int) -> Int? {
        let taken = min(most, count)
        count -= taken
        return taken > 0 ? taken : nil
    }
}
