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
        request.headers["Signature"] = sign(HTTPTypes.HTTPRequest(path: request.url.path))
        return request
    }
}
// end

func client(base: URL, sign: @escaping @Sendable (HTTPTypes.HTTPRequest) -> String) -> HTTPClient {
    HTTPClient(baseURL: base, interceptors: [Signature(sign: sign)])
}

func status(of response: HTTPResponse) -> HTTPTypes.HTTPResponse { HTTPTypes.HTTPResponse(status: response.statusCode) }
