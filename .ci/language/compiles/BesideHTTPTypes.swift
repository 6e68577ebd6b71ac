import Foundation

// sample
import HTTPTypes
import NetworkEngine
import struct NetworkEngine.HTTPClient
import struct NetworkEngine.HTTPRequest
import struct NetworkEngine.HTTPResponse

/// Signs requests with the rules of a module that knows the types of HTTPTypes only.
struct Signature: RequestInterceptor {
    let sign: @Sendable (HTTPTypes.HTTPRequest) -> String

    func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        var request = request
        request.headers["Signature"] = sign(HTTPTypes.HTTPRequest(request))
        return request
    }
}
// end

func client(base: URL, sign: @escaping @Sendable (HTTPTypes.HTTPRequest) -> String) -> HTTPClient {
    HTTPClient(baseURL: base, interceptors: [Signature(sign: sign)])
}

// sample
extension HTTPTypes.HTTPRequest {
    /// A request of this package, for code that takes one of HTTPTypes.
    nonisolated init(_ request: NetworkEngine.HTTPRequest) {
        let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true)
        let path = (parts?.percentEncodedPath ?? "/") + (parts?.percentEncodedQuery.map { "?" + $0 } ?? "")
        var authority = parts?.encodedHost ?? ""
        if let port = parts?.port { authority += ":\(port)" }
        self.init(
            method: Method(rawValue: request.method.rawValue) ?? .get, scheme: parts?.scheme, authority: authority,
            path: path, headerFields: HTTPFields(request.headers))
    }
}

extension HTTPFields {
    nonisolated init(_ headers: HTTPHeaders) {
        self.init()
        for field in headers {
            guard let name = HTTPField.Name(field.name) else { continue }
            append(HTTPField(name: name, value: field.value))
        }
    }
}
// end

// sample
extension NetworkEngine.HTTPClient {
    /// Sends a request of HTTPTypes, and returns the response whatever its status is.
    func data(
        for request: HTTPTypes.HTTPRequest, body: Data? = nil
    ) async throws(NetworkError) -> (Data, HTTPTypes.HTTPResponse) {
        // A path is below the client's base URL, and a whole address is used as it is.
        var address = request.path ?? "/"
        if let scheme = request.scheme, let authority = request.authority {
            address = "\(scheme)://\(authority)\(address)"
        }
        var endpoint = Endpoint(path: address, method: HTTPMethod(rawValue: request.method.rawValue), body: body)
        for field in request.headerFields { endpoint.headers.add(field.value, for: field.name.rawName) }
        endpoint.validation = .anyResponse
        let response = try await send(endpoint)
        let fields = HTTPFields(response.headers)
        return (response.data, HTTPTypes.HTTPResponse(status: .init(code: response.statusCode), headerFields: fields))
    }
}
// end

func status(of response: HTTPResponse) -> Int { response.statusCode }
