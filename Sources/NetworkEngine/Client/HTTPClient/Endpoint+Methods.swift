public import Foundation

extension Endpoint {
    /// A GET request.
    public static func get(
        _ path: String,
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        timeout: Duration? = nil
    ) -> Endpoint {
        Endpoint(path: path, headers: headers, queryItems: queryItems, timeout: timeout)
    }

    /// A HEAD request.
    public static func head(
        _ path: String,
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        timeout: Duration? = nil
    ) -> Endpoint {
        Endpoint(path: path, method: .head, headers: headers, queryItems: queryItems, timeout: timeout)
    }

    /// An OPTIONS request.
    public static func options(
        _ path: String,
        headers: HTTPHeaders = [:],
        timeout: Duration? = nil
    ) -> Endpoint {
        Endpoint(path: path, method: .options, headers: headers, timeout: timeout)
    }

    /// A POST request.
    public static func post(
        _ path: String,
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil,
        timeout: Duration? = nil
    ) -> Endpoint {
        Endpoint(path: path, method: .post, headers: headers, queryItems: queryItems, body: body, timeout: timeout)
    }

    /// A PUT request.
    public static func put(
        _ path: String,
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil,
        timeout: Duration? = nil
    ) -> Endpoint {
        Endpoint(path: path, method: .put, headers: headers, queryItems: queryItems, body: body, timeout: timeout)
    }

    /// A PATCH request.
    public static func patch(
        _ path: String,
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil,
        timeout: Duration? = nil
    ) -> Endpoint {
        Endpoint(path: path, method: .patch, headers: headers, queryItems: queryItems, body: body, timeout: timeout)
    }

    /// A DELETE request.
    public static func delete(
        _ path: String,
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil,
        timeout: Duration? = nil
    ) -> Endpoint {
        Endpoint(path: path, method: .delete, headers: headers, queryItems: queryItems, body: body, timeout: timeout)
    }
}

// The same with the headers of a dictionary, which are sent sorted by name. A literal must stay an `HTTPHeaders`, which
// can contain a name twice. Swift 6.3 would prefer an overload for `[String: String]` despite the attribute, and a name
// that occurs twice would then end the process. It does not prefer one for the optional.
extension Endpoint {
    /// A GET request.
    @_disfavoredOverload
    public static func get(
        _ path: String,
        headers: [String: String]?,
        queryItems: [URLQueryItem]? = nil,
        timeout: Duration? = nil
    ) -> Endpoint {
        .get(path, headers: .dictionary(headers), queryItems: queryItems, timeout: timeout)
    }

    /// A HEAD request.
    @_disfavoredOverload
    public static func head(
        _ path: String,
        headers: [String: String]?,
        queryItems: [URLQueryItem]? = nil,
        timeout: Duration? = nil
    ) -> Endpoint {
        .head(path, headers: .dictionary(headers), queryItems: queryItems, timeout: timeout)
    }

    /// An OPTIONS request.
    @_disfavoredOverload
    public static func options(
        _ path: String,
        headers: [String: String]?,
        timeout: Duration? = nil
    ) -> Endpoint {
        .options(path, headers: .dictionary(headers), timeout: timeout)
    }

    /// A POST request.
    @_disfavoredOverload
    public static func post(
        _ path: String,
        headers: [String: String]?,
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil,
        timeout: Duration? = nil
    ) -> Endpoint {
        .post(path, headers: .dictionary(headers), queryItems: queryItems, body: body, timeout: timeout)
    }

    /// A PUT request.
    @_disfavoredOverload
    public static func put(
        _ path: String,
        headers: [String: String]?,
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil,
        timeout: Duration? = nil
    ) -> Endpoint {
        .put(path, headers: .dictionary(headers), queryItems: queryItems, body: body, timeout: timeout)
    }

    /// A PATCH request.
    @_disfavoredOverload
    public static func patch(
        _ path: String,
        headers: [String: String]?,
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil,
        timeout: Duration? = nil
    ) -> Endpoint {
        .patch(path, headers: .dictionary(headers), queryItems: queryItems, body: body, timeout: timeout)
    }

    /// A DELETE request.
    @_disfavoredOverload
    public static func delete(
        _ path: String,
        headers: [String: String]?,
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil,
        timeout: Duration? = nil
    ) -> Endpoint {
        .delete(path, headers: .dictionary(headers), queryItems: queryItems, body: body, timeout: timeout)
    }
}
