public import Foundation
public import NetworkEngine

/// An answer that can be an HTTP response, for mock transports, mock clients and loopback servers.
///
/// ```swift
/// .status(503, headers: ["Retry-After": "2"])
/// .json(#"{"id": 7}"#)
/// ```
/// These members mean the same for all of them. Pass headers as `HTTPHeaders` or as a dictionary (`[String: String]`).
public protocol HTTPAnswer: Sendable {
    /// Answers with bytes.
    ///
    /// - Parameter type: The `Content-Type`, unless the headers contain one; `nil` for none.
    static func data(_ data: Data, type: String?, status: Int, headers: HTTPHeaders) -> Self

    /// Answers with a value encoded as JSON.
    static func json(_ value: some Encodable, status: Int, headers: HTTPHeaders, encoder: JSONEncoder) -> Self
}

extension HTTPAnswer {
    /// Answers with a status and an optional text body.
    public static func status(_ status: Int, headers: HTTPHeaders = [:], body: String = "") -> Self {
        data(Data(body.utf8), type: nil, status: status, headers: headers)
    }

    /// Answers with text.
    public static func text(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> Self {
        data(Data(text.utf8), type: "text/plain; charset=utf-8", status: status, headers: headers)
    }

    /// Answers with JSON text, which is not validated.
    public static func json(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> Self {
        data(Data(text.utf8), type: "application/json", status: status, headers: headers)
    }
}

// The same members with headers in a dictionary, which is converted to `HTTPHeaders`.
extension HTTPAnswer {
    /// Answers with a status and an optional text body.
    @_disfavoredOverload
    public static func status(_ status: Int, headers: some TargetHeaders, body: String = "") -> Self {
        self.status(status, headers: HTTPHeaders(declared: headers), body: body)
    }

    /// Answers with text.
    @_disfavoredOverload
    public static func text(_ text: String, status: Int = 200, headers: some TargetHeaders) -> Self {
        self.text(text, status: status, headers: HTTPHeaders(declared: headers))
    }

    /// Answers with JSON text, which is not validated.
    @_disfavoredOverload
    public static func json(_ text: String, status: Int = 200, headers: some TargetHeaders) -> Self {
        json(text, status: status, headers: HTTPHeaders(declared: headers))
    }

    /// Answers with a value encoded as JSON.
    @_disfavoredOverload
    public static func json(
        _ value: some Encodable,
        status: Int = 200,
        headers: some TargetHeaders,
        encoder: JSONEncoder = JSONEncoder()
    ) -> Self {
        json(value, status: status, headers: HTTPHeaders(declared: headers), encoder: encoder)
    }
}
