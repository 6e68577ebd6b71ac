public import Foundation

// Likely first spellings that do not exist, with messages that show the right one.

extension HTTPResponse {
    /// The fields are in `headers`.
    @available(*, unavailable, message: "Read the field by its name: 'response.headers[\"ETag\"]'.")
    @_alwaysEmitIntoClient
    public func value(forHTTPHeaderField name: String) -> String? { headers[name] }

    /// The fields are in `headers`.
    @available(*, unavailable, renamed: "headers")
    @_alwaysEmitIntoClient
    public var allHeaderFields: HTTPHeaders { headers }

    /// The status is a number.
    @available(*, unavailable, renamed: "statusCode")
    @_alwaysEmitIntoClient
    public var status: Int { statusCode }

    /// A call decodes its response.
    @available(*, unavailable, message: "Let the call decode: 'let user: User = try await client.request(…)'.")
    @_alwaysEmitIntoClient
    public func decode<Value>(_ type: Value.Type = Value.self) throws -> Value {
        throw CancellationError()
    }
}

extension HTTPRequest {
    /// The fields are in `headers`.
    @available(*, unavailable, message: "Set the field by its name: 'request.headers[\"Accept\"] = value'.")
    @_alwaysEmitIntoClient
    public mutating func setValue(_ value: String?, forHTTPHeaderField name: String) { headers[name] = value }

    /// The fields are in `headers`.
    @available(*, unavailable, message: "Add the field by its name: 'request.headers.add(value, for: \"Accept\")'.")
    @_alwaysEmitIntoClient
    public mutating func addValue(_ value: String, forHTTPHeaderField name: String) { headers.add(value, for: name) }

    /// The body is a `RequestBody`.
    @available(*, unavailable, message: "Set the body: 'request.body = .data(data)'.")
    @_alwaysEmitIntoClient
    public var httpBody: Data? {
        get { body.data }
        set { body = newValue.map(RequestBody.data) ?? .absent }
    }
}
