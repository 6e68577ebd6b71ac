import Foundation
import NetworkEngine
import NetworkEngineTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A transport of its own for a test, ended with it.
func withTransport<Value>(
    connections: Int = 6,
    _ body: (URLSessionTransport) async throws -> Value
) async throws -> Value {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = connections
    let transport = URLSessionTransport(configuration: configuration)
    defer { transport.shutdown() }
    return try await body(transport)
}

extension LoopbackServer {
    func request(
        _ path: String = "/",
        method: HTTPMethod = .get,
        headers: HTTPHeaders = [:],
        body: RequestBody = .none
    ) -> HTTPRequest {
        HTTPRequest(method: method, url: url.appendingPathComponent(path), headers: headers, body: body)
    }
}

extension URLSessionTransport {
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await send(request, context: TransportContext())
    }

    /// The error that a request ends with.
    func failure(of request: HTTPRequest, context: TransportContext = .init()) async throws -> NetworkError {
        let error = await #expect(throws: NetworkError.self) { try await self.send(request, context: context) }
        return try #require(error)
    }
}

extension HTTPResponse {
    var text: String { String(decoding: data, as: UTF8.self) }
}

/// A place in the temporary folder that is empty, and cleared at the end.
func withPlace<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
    let place = FileManager.default.temporaryDirectory.appendingPathComponent("NetworkEngineTests-\(UUID())")
    defer { try? FileManager.default.removeItem(at: place) }
    return try await body(place)
}

extension LoopbackServer {
    /// The port as if it spoke TLS.
    var tlsURL: URL {
        get throws {
            guard let url = URL(string: "https://localhost:\(port)/") else { throw URLError(.badURL) }
            return url
        }
    }
}
