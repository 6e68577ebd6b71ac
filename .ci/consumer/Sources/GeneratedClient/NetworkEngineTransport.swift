// sample
import Foundation
import HTTPTypes
import NetworkEngine
import OpenAPIRuntime

/// Sends the requests of a generated client through an `HTTPClient`. Both bodies are streams.
struct NetworkEngineTransport: ClientTransport {
    /// Its base URL is the server's URL of the generated client.
    let client: HTTPClient

    func send(
        _ request: HTTPTypes.HTTPRequest, body: HTTPBody?, baseURL: URL, operationID: String
    ) async throws -> (HTTPTypes.HTTPResponse, HTTPBody?) {
        var endpoint = Endpoint(path: request.path ?? "", method: HTTPMethod(rawValue: request.method.rawValue))
        for field in request.headerFields { endpoint.headers.add(field.value, for: field.name.rawName) }
        endpoint.template = operationID
        if let body { endpoint = endpoint.body(.stream(BodyStream(body))) }
        do {
            let stream = try await client.stream(endpoint)
            return (HTTPTypes.HTTPResponse(stream.response), HTTPBody(stream))
        } catch {
            // For generated code a status is a value. Inside the chain it is an error, so that it is refreshed or repeated.
            guard error.kind == .status, let response = error.response else { throw error }
            return (HTTPTypes.HTTPResponse(response), HTTPBody(response.data))
        }
    }
}

extension BodyStream {
    /// Reads a body piece by piece, as fast as it is sent.
    fileprivate init(_ body: HTTPBody) {
        var length: Int64?
        if case .known(let count) = body.length { length = count }
        self.init(body.map { Data($0) }, length: length, isReplayable: body.iterationBehavior == .multiple)
    }
}

extension HTTPBody {
    /// Reads a response piece by piece, as fast as the app does.
    fileprivate convenience init(_ stream: ResponseStream) {
        let length = stream.length.map { Length.known($0) } ?? .unknown
        self.init(stream.map { ArraySlice($0) }, length: length, iterationBehavior: .single)
    }
}

extension HTTPTypes.HTTPResponse {
    fileprivate init(_ response: NetworkEngine.HTTPResponse) {
        self.init(status: .init(code: response.statusCode))
        for field in response.headers {
            guard let name = HTTPField.Name(field.name) else { continue }
            headerFields.append(HTTPField(name: name, value: field.value))
        }
    }
}
// end
