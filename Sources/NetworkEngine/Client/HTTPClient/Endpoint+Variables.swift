public import Foundation

// The same with the text of a variable as the path. It is taken as it is, so that a value in it can add segments and a
// query. Literals prefer `EndpointPath`. There is no overload for headers in a dictionary: Swift 6.3 would prefer it
// for a literal path in some calls, such as those with a closure. The text is generic, since it would also prefer
// `String`.
extension Endpoint {
    /// A GET request to the path of a variable, which is taken as it is.
    @_disfavoredOverload
    public static func get(
        _ path: some StringProtocol,
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil
    ) -> Endpoint {
        .get(EndpointPath(String(path)), headers: headers, queryItems: queryItems)
    }

    /// A HEAD request to the path of a variable, which is taken as it is.
    @_disfavoredOverload
    public static func head(
        _ path: some StringProtocol,
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil
    ) -> Endpoint {
        .head(EndpointPath(String(path)), headers: headers, queryItems: queryItems)
    }

    /// A POST request to the path of a variable, which is taken as it is.
    @_disfavoredOverload
    public static func post(
        _ path: some StringProtocol,
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil
    ) -> Endpoint {
        .post(EndpointPath(String(path)), headers: headers, queryItems: queryItems, body: body)
    }

    /// A PUT request to the path of a variable, which is taken as it is.
    @_disfavoredOverload
    public static func put(
        _ path: some StringProtocol,
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil
    ) -> Endpoint {
        .put(EndpointPath(String(path)), headers: headers, queryItems: queryItems, body: body)
    }

    /// A PATCH request to the path of a variable, which is taken as it is.
    @_disfavoredOverload
    public static func patch(
        _ path: some StringProtocol,
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil
    ) -> Endpoint {
        .patch(EndpointPath(String(path)), headers: headers, queryItems: queryItems, body: body)
    }

    /// A DELETE request to the path of a variable, which is taken as it is.
    @_disfavoredOverload
    public static func delete(
        _ path: some StringProtocol,
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]? = nil,
        body: Data? = nil
    ) -> Endpoint {
        .delete(EndpointPath(String(path)), headers: headers, queryItems: queryItems, body: body)
    }

    /// An endpoint with a form as its body, for the path of a variable, which is taken as it is.
    @_disfavoredOverload
    public static func form(
        _ path: some StringProtocol,
        method: HTTPMethod = .post,
        fields: [(String, String)],
        headers: HTTPHeaders = [:]
    ) -> Endpoint {
        .form(EndpointPath(String(path)), method: method, fields: fields, headers: headers)
    }

    /// An endpoint with a form as its body, for the path of a variable, which is taken as it is.
    @_disfavoredOverload
    public static func form(
        _ path: some StringProtocol,
        method: HTTPMethod = .post,
        fields: KeyValuePairs<String, String>,
        headers: HTTPHeaders = [:]
    ) -> Endpoint {
        .form(EndpointPath(String(path)), method: method, fields: fields, headers: headers)
    }
}
