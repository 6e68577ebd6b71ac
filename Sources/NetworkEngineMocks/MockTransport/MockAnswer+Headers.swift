public import Foundation
public import NetworkEngine

// Answers with headers in a dictionary, which is converted to `HTTPHeaders`.

extension MockAnswer {
    /// Answers with a status and an optional text body.
    @_disfavoredOverload
    public static func status(_ status: Int, headers: some TargetHeaders, body: String = "") -> MockAnswer {
        self.status(status, headers: HTTPHeaders(declared: headers), body: body)
    }

    /// Answers with bytes.
    @_disfavoredOverload
    public static func data(_ data: Data, status: Int = 200, headers: some TargetHeaders) -> MockAnswer {
        self.data(data, status: status, headers: HTTPHeaders(declared: headers))
    }

    /// Answers with JSON text, which is not validated.
    @_disfavoredOverload
    public static func json(_ text: String, status: Int = 200, headers: some TargetHeaders) -> MockAnswer {
        json(text, status: status, headers: HTTPHeaders(declared: headers))
    }

    /// Answers with a value encoded as JSON.
    @_disfavoredOverload
    public static func json(
        _ value: some Encodable,
        status: Int = 200,
        headers: some TargetHeaders,
        encoder: JSONEncoder = JSONEncoder()
    ) -> MockAnswer {
        json(value, status: status, headers: HTTPHeaders(declared: headers), encoder: encoder)
    }

    /// Answers with a fixture file, which is the body or describes the whole response.
    ///
    /// - Parameters:
    ///   - values: The values of placeholders. They take precedence over those of the request.
    ///   - status: Replaces the file's status.
    ///   - headers: Replace the file's headers of the same names.
    @_disfavoredOverload
    public static func fixture(
        _ name: String,
        in loader: FixtureLoader,
        values: [String: String] = [:],
        status: Int? = nil,
        headers: some TargetHeaders
    ) -> MockAnswer {
        fixture(name, in: loader, values: values, status: status, headers: HTTPHeaders(declared: headers))
    }
}
