/// A decoded value together with its response.
public struct NetworkResponse<Value> {
    /// The decoded body.
    public let value: Value
    /// The response, with its body.
    public let response: HTTPResponse

    /// Creates a response with its value, for example for a mock.
    public init(value: Value, response: HTTPResponse) {
        self.value = value
        self.response = response
    }

    /// The response status.
    public var statusCode: Int { response.statusCode }
    /// The response's header fields.
    public var headers: HTTPHeaders { response.headers }
}

/// A value with its response, which a mock creates from the value alone.
package protocol ValueWithResponse {
    init?(value: any Sendable, response: HTTPResponse)
}

extension NetworkResponse: ValueWithResponse {
    package init?(value: any Sendable, response: HTTPResponse) {
        guard let value = value as? Value else { return nil }
        self.init(value: value, response: response)
    }
}

extension NetworkResponse: Sendable where Value: Sendable {}
