import Foundation

extension Endpoint {
    /// An endpoint with a form as its body, like that of an HTML form.
    ///
    /// ```swift
    /// let tokens: Tokens = try await client.request(.form("/token", fields: ["grant_type": "password", "user": name]))
    /// ```
    /// Fields keep their order, and a name can occur more than once. All characters but letters, digits and `-._~` are
    /// escaped. Sets the content type unless the headers have one.
    @inline(never)  // The other forms call it: a copy in each of them would cost two kilobytes.
    public static func form(
        _ path: EndpointPath,
        method: HTTPMethod = .post,
        fields: [(String, String)],
        headers: HTTPHeaders = [:],
        timeout: Duration? = nil,
        deadline: Duration? = nil,
        cachePolicy: CachePolicy = .useProtocol
    ) -> Endpoint {
        var endpoint = Endpoint(
            path: path, method: method, headers: headers, timeout: timeout, deadline: deadline, cachePolicy: cachePolicy
        )
        endpoint.body = Data(QueryEncoder().encode(fields: fields).utf8)
        if !headers.contains("Content-Type") {
            endpoint.headers["Content-Type"] = FormParameterEncoding.contentType
            endpoint.details.values.bodyType = FormParameterEncoding.contentType
        }
        return endpoint
    }

    /// An endpoint with a form as its body, with the fields of a literal in their order.
    public static func form(
        _ path: EndpointPath,
        method: HTTPMethod = .post,
        fields: KeyValuePairs<String, String>,
        headers: HTTPHeaders = [:],
        timeout: Duration? = nil,
        deadline: Duration? = nil,
        cachePolicy: CachePolicy = .useProtocol
    ) -> Endpoint {
        let fields = fields.map { ($0.key, $0.value) }
        return form(
            path, method: method, fields: fields, headers: headers, timeout: timeout, deadline: deadline,
            cachePolicy: cachePolicy)
    }

    /// An endpoint with a form as its body, with the fields of a dictionary sorted by name.
    ///
    /// The dictionary is optional so that Swift does not prefer this method for a literal.
    @_disfavoredOverload
    public static func form(
        _ path: EndpointPath,
        method: HTTPMethod = .post,
        fields: [String: String]?,
        headers: HTTPHeaders = [:],
        timeout: Duration? = nil,
        deadline: Duration? = nil,
        cachePolicy: CachePolicy = .useProtocol
    ) -> Endpoint {
        let fields = (fields ?? [:]).sorted(byText: { $0.key }).map { ($0.key, $0.value) }
        return form(
            path, method: method, fields: fields, headers: headers, timeout: timeout, deadline: deadline,
            cachePolicy: cachePolicy)
    }
}

// The same with the headers of a dictionary.
extension Endpoint {
    /// An endpoint with a form as its body, like that of an HTML form.
    @_disfavoredOverload
    public static func form(
        _ path: EndpointPath,
        method: HTTPMethod = .post,
        fields: [(String, String)],
        headers: [String: String]?
    ) -> Endpoint {
        let headers = HTTPHeaders(declared: headers)
        return form(path, method: method, fields: fields, headers: headers)
    }

    /// An endpoint with a form as its body, with the fields of a literal in their order.
    @_disfavoredOverload
    public static func form(
        _ path: EndpointPath,
        method: HTTPMethod = .post,
        fields: KeyValuePairs<String, String>,
        headers: [String: String]?
    ) -> Endpoint {
        let headers = HTTPHeaders(declared: headers)
        return form(path, method: method, fields: fields, headers: headers)
    }

    /// An endpoint with a form as its body, with the fields of a dictionary sorted by name.
    @_disfavoredOverload
    public static func form(
        _ path: EndpointPath,
        method: HTTPMethod = .post,
        fields: [String: String]?,
        headers: [String: String]?
    ) -> Endpoint {
        let headers = HTTPHeaders(declared: headers)
        return form(path, method: method, fields: fields, headers: headers)
    }
}
