#if canImport(FoundationNetworking)
public import FoundationNetworking
import Foundation
#else
public import Foundation
#endif

extension HTTPRequest {
    /// Creates a request from a `URLRequest`.
    ///
    /// A body stream is read while it is sent, once: a request that would have to send it a second time fails. The
    /// default `timeoutInterval` of 60 s is ignored; any other value becomes the `timeout`.
    public init(_ urlRequest: URLRequest) throws(NetworkError) {
        try self.init(withoutStreamOf: urlRequest)
        guard let stream = urlRequest.httpBodyStream else { return }
        body = try .sending(stream, length: takeLength())
    }

    /// Creates a request from a `URLRequest`, and reads the first megabyte of its body stream. A shorter stream can be
    /// sent again.
    package static func reading(_ urlRequest: URLRequest) async throws(NetworkError) -> HTTPRequest {
        var request = try HTTPRequest(withoutStreamOf: urlRequest)
        guard let stream = urlRequest.httpBodyStream else { return request }
        // The headers of a guest's request are not final yet.
        try HTTPRequest(method: request.method, url: request.url).validate()
        request.body = try await .reading(stream, length: request.takeLength())
        return request
    }

    package init(withoutStreamOf urlRequest: URLRequest) throws(NetworkError) {
        guard let url = urlRequest.url else {
            throw NetworkError(kind: .invalidRequest, reason: "the URLRequest has no URL")
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

    /// Removes the header with the length of a stream, which the transport writes.
    private mutating func takeLength() -> Int64? {
        defer { headers["Content-Length"] = nil }
        return headers["Content-Length"].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// The request for URLSession. It omits a body in a file or stream, which the transport sends itself.
    public var urlRequest: URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = method.rawValue
        // Setting all fields together keeps the case of their names on Linux.
        request.allHTTPHeaderFields = headers.joined
        request.httpBody = body.data
        // URLSession on Linux crashes with an infinite timeout.
        if let timeout { request.timeoutInterval = min(timeout.inSeconds, 604_800) }
        return request
    }
}

extension HTTPResponse {
    /// The response's head as an `HTTPURLResponse`. Multiple values with the same name are joined by commas.
    public var httpURLResponse: HTTPURLResponse? {
        HTTPURLResponse(
            url: request.url, statusCode: statusCode, httpVersion: "HTTP/1.1", headerFields: headers.joined)
    }
}

extension HTTPHeaders {
    /// One value per name. Multiple values are joined by commas, or by semicolons for `Cookie`.
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
