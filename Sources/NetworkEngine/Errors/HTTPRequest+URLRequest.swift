#if canImport(FoundationNetworking)
public import FoundationNetworking
import Foundation
#else
public import Foundation
#endif

extension HTTPRequest {
    /// Creates a request from a `URLRequest`.
    ///
    /// The body must be data. A body stream cannot be read twice or copied, and throws `.unsupported`. The default
    /// `timeoutInterval` of 60 s is ignored; any other becomes the `timeout`.
    public init(_ urlRequest: URLRequest) throws(NetworkError) {
        guard let url = urlRequest.url else {
            throw NetworkError(kind: .invalidRequest, reason: "the URLRequest has no URL")
        }
        guard urlRequest.httpBodyStream == nil else {
            throw NetworkError(
                kind: .unsupported,
                reason: "the URLRequest's httpBodyStream can be read only once; give its bytes as httpBody",
                request: HTTPRequest(url: url)
            )
        }
        let interval = urlRequest.timeoutInterval
        let isOwnTimeout = interval.isFinite && interval > 0 && interval < 1e9 && interval != 60
        self.init(
            method: HTTPMethod(rawValue: urlRequest.httpMethod ?? "GET"),
            url: url,
            headers: HTTPHeaders(urlRequest.allHTTPHeaderFields ?? [:]),
            body: urlRequest.httpBody.map(RequestBody.data) ?? .absent,
            timeout: isOwnTimeout ? .seconds(interval) : nil
        )
    }

    /// The request for URLSession, without a body in a file or stream, which the transport sends itself.
    public var urlRequest: URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = method.rawValue
        // Setting all fields at once keeps the case of their names on Linux.
        request.allHTTPHeaderFields = headers.joined
        request.httpBody = body.data
        // URLSession on Linux crashes with an infinite timeout.
        if let timeout { request.timeoutInterval = min(timeout.inSeconds, 604_800) }
        return request
    }
}

extension HTTPResponse {
    /// The head of the response as an `HTTPURLResponse`, with the values of a name joined by commas.
    public var httpURLResponse: HTTPURLResponse? {
        HTTPURLResponse(
            url: request.url, statusCode: statusCode, httpVersion: "HTTP/1.1", headerFields: headers.joined)
    }
}

extension HTTPHeaders {
    /// One value for each name. Several values of a name are joined by commas, those of `Cookie` by semicolons.
    var joined: [String: String] {
        var fields: [String: String] = [:]
        var names: Set<String> = []
        for field in self where names.insert(field.name.lowercased()).inserted {
            let values = filter { $0.name.equalsIgnoringASCIICase(field.name) }.map(\.wireValue)
            let isCookie = field.name.equalsIgnoringASCIICase("Cookie")
            fields[field.name] = values.joined(separator: isCookie ? "; " : ", ")
        }
        return fields
    }
}
