public import Foundation

extension Endpoint {
    public static func get(
        _ path: String,
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil
    ) -> Endpoint {
        Endpoint(path: path, headers: headers, queryItems: queryItems)
    }

    public static func head(
        _ path: String,
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil
    ) -> Endpoint {
        Endpoint(path: path, method: .head, headers: headers, queryItems: queryItems)
    }

    public static func options(_ path: String, headers: HTTPHeaders = [:]) -> Endpoint {
        Endpoint(path: path, method: .options, headers: headers)
    }

    public static func post(
        _ path: String,
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil
    ) -> Endpoint {
        Endpoint(path: path, method: .post, headers: headers, queryItems: queryItems, body: body)
    }

    public static func put(
        _ path: String,
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil
    ) -> Endpoint {
        Endpoint(path: path, method: .put, headers: headers, queryItems: queryItems, body: body)
    }

    public static func patch(
        _ path: String,
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil
    ) -> Endpoint {
        Endpoint(path: path, method: .patch, headers: headers, queryItems: queryItems, body: body)
    }

    public static func delete(
        _ path: String,
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil
    ) -> Endpoint {
        Endpoint(path: path, method: .delete, headers: headers, queryItems: queryItems, body: body)
    }

    /// The same endpoint with this token, in the place of any it had; a `TokenSource` leaves it as it is.
    public func bearer(_ token: String) -> Endpoint {
        var endpoint = self
        endpoint.headers["Authorization"] = "Bearer \(token)"
        return endpoint
    }

    /// The same endpoint with a value as its JSON body, and the content type unless it has one.
    ///
    /// Throws `.encoding` for a value that cannot be written.
    public func json(
        _ value: some Encodable,
        encoder: JSONEncoder = JSONEncoder()
    ) throws(NetworkError) -> Endpoint {
        var endpoint = self
        endpoint.body = try JSONBody.data(encoding: value, with: encoder)
        if !headers.contains("Content-Type") { endpoint.headers["Content-Type"] = JSONBody.contentType }
        return endpoint
    }
}
