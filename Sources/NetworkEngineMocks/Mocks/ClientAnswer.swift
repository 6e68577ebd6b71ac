public import Foundation
public import NetworkEngine

/// A mock client's answer: a value, an error, or the result of a response.
///
/// ```swift
/// .value(User(id: 7))
/// .json(#"{"id": 7}"#).delayed(by: .seconds(1))
/// .status(404)
/// .failure(NetworkError(kind: .offline))
/// ```
/// Members with the same name as in ``MockAnswer`` mean the same.
public struct ClientAnswer: HTTPAnswer, ScriptedAnswer {
    enum Content: Sendable {
        case value(any Sendable)
        case failure(NetworkError)
        /// A response, and its fixture's decoder.
        case response(MockAnswer, JSONDecoder?)
        case empty
    }

    let content: Content
    private(set) var delay: Duration? = .zero

    private init(_ content: Content, delay: Duration? = .zero) { (self.content, self.delay) = (content, delay) }

    /// Returns a value of the requested type. `Data` is decoded as a body if another type is requested.
    public static func value(_ value: some Sendable) -> ClientAnswer { ClientAnswer(.value(value)) }

    /// Throws an error.
    public static func failure(_ error: NetworkError) -> ClientAnswer { ClientAnswer(.failure(error)) }

    /// Returns what a real client returns for a response: the status is validated and the body decoded.
    public static func response(_ answer: MockAnswer) -> ClientAnswer { ClientAnswer(.response(answer, nil)) }

    /// Succeeds without a body: `nil`, no bytes, or an empty list or object.
    ///
    /// The result is the same as for status 204. If the type needs a body, it is decoded from `[]` or `{}`. The call
    /// fails with `.emptyBody` if neither is possible. Event streams end.
    public static var empty: ClientAnswer { ClientAnswer(.empty) }

    /// Waits until the call is canceled, without a timeout.
    public static var hang: ClientAnswer { ClientAnswer(.empty, delay: nil) }

    /// Returns the answer with a delay on the mock's clock.
    public func delayed(by delay: Duration) -> ClientAnswer {
        ClientAnswer(content, delay: self.delay == nil ? nil : delay)
    }
}

/// Answers with a response.
extension ClientAnswer {
    /// Answers with bytes.
    public static func data(
        _ data: Data,
        type: String? = nil,
        status: Int = 200,
        headers: HTTPHeaders = [:]
    ) -> ClientAnswer {
        response(.data(data, type: type, status: status, headers: headers))
    }

    /// Answers with a value encoded as JSON.
    public static func json(
        _ value: some Encodable,
        status: Int = 200,
        headers: HTTPHeaders = [:],
        encoder: JSONEncoder = JSONEncoder()
    ) -> ClientAnswer {
        response(.json(value, status: status, headers: headers, encoder: encoder))
    }

    /// Answers with a fixture file, which is the body or describes the whole response.
    ///
    /// The loader's decoder decodes it, unless the mock client has a decoder.
    ///
    /// - Parameters:
    ///   - values: The values of placeholders such as `{{id}}`.
    ///   - status: Replaces the file's status.
    ///   - headers: Replace the file's headers with the same names.
    public static func fixture(
        _ name: String,
        in loader: FixtureLoader,
        values: [String: String] = [:],
        status: Int? = nil,
        headers: HTTPHeaders = [:]
    ) -> ClientAnswer {
        let answer = MockAnswer.fixture(name, in: loader, values: values, status: status, headers: headers)
        return ClientAnswer(.response(answer, loader.decoder))
    }

    /// Fails like a real client when its transport fails.
    public static func failure(
        _ failure: TransportFailure,
        reason: String = "the mock was told to fail"
    ) -> ClientAnswer {
        response(.failure(failure, reason: reason))
    }
}
