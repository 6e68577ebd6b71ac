import Foundation
import NetworkEngine
import NetworkEngineCurl
import NetworkEngineTesting
import Testing

/// A transport of its own for a test, ended with it.
func withTransport<Value>(
    requestsPerHost: Int = 6,
    _ change: (inout CurlConfiguration) -> Void = { _ in },
    _ body: (CurlTransport) async throws -> Value
) async throws -> Value {
    var configuration = CurlConfiguration()
    configuration.requestsPerHost = requestsPerHost
    change(&configuration)
    let transport = CurlTransport(configuration: configuration)
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

extension CurlTransport {
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

extension Trait where Self == ConditionTrait {
    /// Leaves a suite out where there is no libcurl.
    static var needsCurl: Self {
        .enabled(if: CurlTransport.isAvailable, "there is no libcurl here that can be used")
    }
}
