package import Foundation
package import NetworkEngine
package import NetworkEngineTesting

extension LoopbackServer {
    package func request(
        _ path: String = "/",
        method: HTTPMethod = .get,
        headers: HTTPHeaders = [:],
        body: RequestBody = .absent
    ) -> HTTPRequest {
        HTTPRequest(method: method, url: url.appendingPathComponent(path), headers: headers, body: body)
    }

    /// The server's address with the scheme `https`, which the server does not support.
    package var tlsURL: URL {
        get throws {
            guard let url = URL(string: "https://localhost:\(port)/") else { throw CocoaError(.fileReadUnknown) }
            return url
        }
    }
}

extension Transport {
    package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await send(request, context: TransportContext())
    }

    /// Returns the error of a request, and throws when it has another error or none.
    package func failure(of request: HTTPRequest, context: TransportContext = .init()) async throws -> NetworkError {
        let response: HTTPResponse
        do {
            response = try await send(request, context: context)
        } catch let error as NetworkError {
            return error
        }
        throw UnexpectedResponse(response: response)
    }
}

/// A request succeeded that should have failed.
private struct UnexpectedResponse: Error {
    let response: HTTPResponse
}

extension HTTPResponse {
    package var text: String { String(decoding: data, as: UTF8.self) }
}
