package import Foundation

extension HTTPRequest {
    /// The request with a body, and with its content type unless it has one.
    ///
    /// Throws `.invalidRequest` when there is a body already, which would be lost.
    package func adding(body: Data, contentType: String) throws(NetworkError) -> HTTPRequest {
        try adding(body: .data(body), contentType: contentType)
    }

    package func adding(body: RequestBody, contentType: String) throws(NetworkError) -> HTTPRequest {
        guard self.body.isNone else {
            throw NetworkError(
                kind: .invalidRequest,
                reason: "the request has a body already, which \(contentType) parameters would replace",
                request: self
            )
        }
        var request = self
        request.body = body
        if !request.headers.contains("Content-Type") { request.headers["Content-Type"] = contentType }
        return request
    }
}
