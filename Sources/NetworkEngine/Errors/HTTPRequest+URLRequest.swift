#if canImport(FoundationNetworking)
public import FoundationNetworking
import Foundation
#else
public import Foundation
#endif

extension HTTPRequest {
    /// The request that a prepared one describes.
    ///
    /// Its body may be data or nothing: a body stream cannot be read twice nor copied, and is refused with `.unsupported`.
    /// A `timeoutInterval` of 60 s, which every request has unless it is changed, is not taken over. Any other becomes the
    /// `timeout`, which means the same.
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
            body: urlRequest.httpBody.map(RequestBody.data) ?? .none,
            timeout: isOwnTimeout ? .seconds(interval) : nil
        )
    }

    /// The same request for URLSession. A body in a file or stream is not in it: the transport sends that itself.
    public var urlRequest: URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = method.rawValue
        var fields: [String: String] = [:]
        var names: Set<String> = []
        for field in headers where names.insert(field.name.lowercased()).inserted {
            fields[field.name] = headers[field.name]
        }
        // Set all at once, since setting a single one capitalizes its name on Linux.
        request.allHTTPHeaderFields = fields
        request.httpBody = body.data
        // URLSession on Linux crashes on one without end.
        if let timeout { request.timeoutInterval = min(timeout / .seconds(1), 604_800) }
        return request
    }
}
