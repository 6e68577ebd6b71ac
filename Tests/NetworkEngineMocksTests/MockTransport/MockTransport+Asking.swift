import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

extension MockTransport {
    /// Sends a request to a path of one host, or to a URL.
    @discardableResult
    func ask(
        _ method: HTTPMethod = .get,
        _ path: String = "/",
        headers: HTTPHeaders = [:],
        body: String? = nil,
        context: TransportContext = TransportContext()
    ) async throws -> HTTPResponse {
        let address = path.contains("://") ? path : "https://api.test" + path
        let request = HTTPRequest(
            method: method,
            url: try #require(URL(string: address)),
            headers: headers,
            body: body.map { .data(Data($0.utf8)) } ?? .absent
        )
        return try await send(request, context: context)
    }

    /// Returns the reason for a request's failure.
    func refusal(
        of method: HTTPMethod = .get,
        _ path: String = "/",
        headers: HTTPHeaders = [:],
        body: String? = nil
    ) async -> String {
        do {
            let response = try await ask(method, path, headers: headers, body: body)
            return "answered with \(response.statusCode)"
        } catch let error as NetworkError {
            return error.reason
        } catch {
            return "\(error)"
        }
    }
}
