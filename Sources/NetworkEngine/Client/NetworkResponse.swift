/// A decoded value together with the response that it came in.
public struct NetworkResponse<Value> {
    public let value: Value
    public let response: HTTPResponse

    public init(value: Value, response: HTTPResponse) {
        self.value = value
        self.response = response
    }

    public var statusCode: Int { response.statusCode }
    public var headers: HTTPHeaders { response.headers }
}

extension NetworkResponse: Sendable where Value: Sendable {}
