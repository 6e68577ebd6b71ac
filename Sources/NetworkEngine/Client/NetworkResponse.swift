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

    /// The status of the response.
    public var statusCode: Int { response.statusCode }
    /// The header fields of the response.
    public var headers: HTTPHeaders { response.headers }
}

/// A value with its response, which a mock makes from the value alone.
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

/// The result of a call that does not name a type to decode. The caller can only ignore it.
///
/// ```swift
/// try await provider.request(.delete(7))                   // ignores the body
/// let user: User = try await provider.request(.user(7))    // decodes the body
/// ```
/// The type cannot be copied and has no members. A missing type annotation therefore fails to compile where the value
/// is used.
@dynamicMemberLookup
public struct UndecodedResponse: ~Copyable, Sendable {
    package init() {}

    @available(
        *, unavailable,
        message: "The response is not decoded, because the call names no type. Write 'let user: User = …'."
    )
    public subscript<Member>(dynamicMember name: String) -> Member {
        preconditionFailure("The response is not decoded and has no member \(name).")
    }
}
