public import Foundation

// Likely first spellings that do not exist, with messages that show the right one. Without them the compiler reports an
// error about another method or type.

extension Endpoint {
    /// Query parameters have another label.
    @available(*, unavailable, renamed: "get(_:query:)", message: "Parameters of a query have the label 'query:'.")
    @_alwaysEmitIntoClient
    public static func get(_ path: EndpointPath, parameters: Query, headers: HTTPHeaders = [:]) -> Endpoint {
        .get(path)
    }

    /// Query items are not a dictionary.
    @available(*, unavailable, renamed: "get(_:query:)", message: "Parameters of a query have the label 'query:'.")
    @_alwaysEmitIntoClient
    public static func get(_ path: EndpointPath, queryItems: Query, headers: HTTPHeaders = [:]) -> Endpoint {
        .get(path)
    }

    /// Query items are a property.
    @available(
        *, unavailable, renamed: "get(_:query:)",
        message: "Parameters of a query have the label 'query:'. 'Endpoint(path:queryItems:)' takes query items."
    )
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public static func get(
        _ path: EndpointPath,
        headers: HTTPHeaders = [:],
        queryItems: [URLQueryItem]?
    ) -> Endpoint {
        .get(path)
    }

    /// A dictionary has no order.
    @available(*, unavailable, message: "Add the dictionary to the endpoint: '.get(path).query(parameters)'.")
    @_alwaysEmitIntoClient
    public static func get(_ path: EndpointPath, query: Parameters?, headers: HTTPHeaders = [:]) -> Endpoint {
        .get(path)
    }

    /// A limit is added to the endpoint.
    @available(*, unavailable, message: "Add the limit to the endpoint: '.get(path).timeout(.seconds(5))'.")
    @_alwaysEmitIntoClient
    public static func get(_ path: EndpointPath, timeout: Double) -> Endpoint { .get(path) }

    /// A limit is added to the endpoint.
    @available(*, unavailable, message: "Add the limit to the endpoint: '.get(path).timeout(.seconds(5))'.")
    @_alwaysEmitIntoClient
    public static func get(_ path: EndpointPath, timeout: Duration) -> Endpoint { .get(path) }

    /// A URL is not a path.
    @available(
        *, unavailable, message: "Pass a path, such as \"/users\", or the text of a URL: '.get(url.absoluteString)'."
    )
    @_alwaysEmitIntoClient
    public static func get(_ url: URL) -> Endpoint { .get(EndpointPath(url.absoluteString)) }

    /// A body is added to the endpoint.
    @available(
        *, unavailable, message: "Add the parameters to the endpoint: '.post(path).json(value)' or '.form(fields)'."
    )
    @_alwaysEmitIntoClient
    public static func post(_ path: EndpointPath, parameters: Query, headers: HTTPHeaders = [:]) -> Endpoint {
        .post(path)
    }

    /// A body is added to the endpoint.
    @available(*, unavailable, message: "Add the JSON to the endpoint: '.post(path).json(value)'.")
    @_alwaysEmitIntoClient
    public static func post(_ path: EndpointPath, json: some Encodable, headers: HTTPHeaders = [:]) -> Endpoint {
        .post(path)
    }

    /// A body is added to the endpoint.
    @available(*, unavailable, message: "Add the JSON to the endpoint: '.put(path).json(value)'.")
    @_alwaysEmitIntoClient
    public static func put(_ path: EndpointPath, json: some Encodable, headers: HTTPHeaders = [:]) -> Endpoint {
        .put(path)
    }

    /// A body is added to the endpoint.
    @available(*, unavailable, message: "Add the JSON to the endpoint: '.patch(path).json(value)'.")
    @_alwaysEmitIntoClient
    public static func patch(_ path: EndpointPath, json: some Encodable, headers: HTTPHeaders = [:]) -> Endpoint {
        .patch(path)
    }

    /// A body is added to the endpoint.
    @available(*, unavailable, message: "Add the body to the endpoint: '.post(path).json(value)' or '.body(bytes)'.")
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public static func post(_ path: EndpointPath, body: some Encodable, headers: HTTPHeaders = [:]) -> Endpoint {
        .post(path)
    }

    /// A body is added to the endpoint.
    @available(*, unavailable, message: "Add the body to the endpoint: '.put(path).json(value)' or '.body(bytes)'.")
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public static func put(_ path: EndpointPath, body: some Encodable, headers: HTTPHeaders = [:]) -> Endpoint {
        .put(path)
    }

    /// A body is added to the endpoint.
    @available(*, unavailable, message: "Add the body to the endpoint: '.patch(path).json(value)' or '.body(bytes)'.")
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public static func patch(_ path: EndpointPath, body: some Encodable, headers: HTTPHeaders = [:]) -> Endpoint {
        .patch(path)
    }

    /// A form is added to the endpoint.
    @available(*, unavailable, message: "Add the form to the endpoint: '.post(path).form(fields)'.")
    @_alwaysEmitIntoClient
    public static func post(_ path: EndpointPath, form: KeyValuePairs<String, String>) -> Endpoint { .post(path) }

    /// A form is added to the endpoint.
    @available(*, unavailable, message: "Add the form to the endpoint: '.post(path).form(fields)'.")
    @_alwaysEmitIntoClient
    public static func form(
        _ path: EndpointPath,
        method: HTTPMethod = .post,
        fields: some Collection,
        headers: HTTPHeaders = [:]
    ) -> Endpoint {
        .post(path)
    }

    /// Parts are added to the endpoint.
    @available(*, unavailable, message: "Add the parts to the endpoint: '.post(path).multipart(parts)'.")
    @_alwaysEmitIntoClient
    public static func post(_ path: EndpointPath, multipart: [MultipartFormData]) -> Endpoint { .post(path) }

    /// The method comes after the path.
    @available(*, unavailable, message: "Write the method as a function: '.post(\"/users\")'.")
    @_alwaysEmitIntoClient
    public init(_ method: HTTPMethod, _ path: EndpointPath) { self.init(path: path, method: method) }
}

extension Endpoint {
    /// A query takes parameters, and a body takes a value.
    @available(*, unavailable, renamed: "query(_:)", message: "Write '.query(…)', or '.json(…)' for a body.")
    @_alwaysEmitIntoClient
    public func parameters(_ parameters: Parameters) -> Endpoint { self }

    /// A value is encoded as JSON.
    @available(*, unavailable, renamed: "json(_:)", message: "'.body' takes bytes. Encode a value with '.json(value)'.")
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func body(_ value: some Encodable) -> Endpoint { self }

    /// A dictionary of mixed values cannot be encoded.
    @available(*, unavailable, message: "A dictionary of values of different types is not Encodable. Define a struct.")
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func json(_ object: [String: Any]) -> Endpoint { self }

    /// Headers are passed to the method, or added one by one.
    @available(*, unavailable, message: "Write '.get(path, headers: headers)', or add one: '.header(name, value)'.")
    @_alwaysEmitIntoClient
    public func headers(_ headers: HTTPHeaders) -> Endpoint { self }

    /// A bearer token has its own method.
    @available(*, unavailable, message: "Write '.bearer(token)', or '.header(\"Authorization\", value)'.")
    @_alwaysEmitIntoClient
    public func authorization(_ value: String) -> Endpoint { self }

    /// A number has no unit.
    @available(*, unavailable, message: "A number has no unit: write '.timeout(.seconds(5))'.")
    @_alwaysEmitIntoClient
    public func timeout(_ seconds: Double) -> Endpoint { self }

    /// A number has no unit.
    @available(*, unavailable, message: "A number has no unit: write '.deadline(.seconds(5))'.")
    @_alwaysEmitIntoClient
    public func deadline(_ seconds: Double) -> Endpoint { self }
}
