public import Foundation

extension Endpoint {
    /// Returns the endpoint with a bearer token, which replaces an existing one. A `TokenSource` does not change it.
    public func bearer(_ token: String) -> Endpoint {
        var endpoint = self
        endpoint.headers["Authorization"] = "Bearer \(token)"
        return endpoint
    }

    /// Returns the endpoint with a value as its JSON body. Sets the content type unless the endpoint has one.
    ///
    /// Throws an error of kind `.encoding` if the encoder fails.
    public func json(
        _ value: some Encodable,
        encoder: JSONEncoder = JSONEncoder()
    ) throws(NetworkError) -> Endpoint {
        var endpoint = self
        endpoint.body = try JSONBody.data(encoding: value, with: encoder)
        if !headers.contains("Content-Type") { endpoint.headers["Content-Type"] = JSONBody.contentType }
        return endpoint
    }

    /// An endpoint with a form as its body, like that of an HTML form.
    ///
    /// ```swift
    /// let tokens: Tokens = try await client.request(.form("/token", fields: ["grant_type": "password", "user": name]))
    /// ```
    /// Fields keep their order, and a name can occur more than once. All characters but letters, digits and `-._~` are
    /// escaped. Sets the content type unless the headers have one.
    public static func form(
        _ path: String,
        method: HTTPMethod = .post,
        fields: [(String, String)],
        headers: HTTPHeaders = [:]
    ) -> Endpoint {
        var endpoint = Endpoint(path: path, method: method, headers: headers)
        endpoint.body = Data(QueryEncoder().encode(fields: fields).utf8)
        if !headers.contains("Content-Type") { endpoint.headers["Content-Type"] = FormParameterEncoding.contentType }
        return endpoint
    }

    /// An endpoint with a form as its body, with the fields of a literal in their order.
    public static func form(
        _ path: String,
        method: HTTPMethod = .post,
        fields: KeyValuePairs<String, String>,
        headers: HTTPHeaders = [:]
    ) -> Endpoint {
        form(path, method: method, fields: fields.map { ($0.key, $0.value) }, headers: headers)
    }

    /// An endpoint with a form as its body, with the fields of a dictionary sorted by name.
    ///
    /// The dictionary is optional so that Swift does not prefer this method for a literal.
    @_disfavoredOverload
    public static func form(
        _ path: String,
        method: HTTPMethod = .post,
        fields: [String: String]?,
        headers: HTTPHeaders = [:]
    ) -> Endpoint {
        let fields = (fields ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        return form(path, method: method, fields: fields, headers: headers)
    }
}
