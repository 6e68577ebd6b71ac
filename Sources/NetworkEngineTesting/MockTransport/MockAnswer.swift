public import Foundation
public import NetworkEngine

/// What a mock transport does with a request: a response, a failure, or nothing for a long time.
///
/// ```swift
/// .status(503, headers: ["Retry-After": "2"])
/// .json(#"{"id": 7}"#).delayed(by: .seconds(1))
/// .failure(.dns).repeating(2)
/// ```
/// An answer is given once, unless it repeats.
public struct MockAnswer: Sendable {
    enum Content: Sendable {
        case response(status: Int, headers: HTTPHeaders, body: Data)
        case failure(any Error)
        case transportFailure(TransportFailure, reason: String)
        case hang
        case computed(@Sendable @concurrent (MockCall) async throws -> MockAnswer)
    }

    let content: Content
    private(set) var delay: Duration = .zero
    /// How often it may be given; `nil` is without end.
    private(set) var limit: Int? = 1

    init(_ content: Content) { self.content = content }

    /// The same answer after a pause on the transport's clock. A pause longer than the timeout ends the request.
    public func delayed(by delay: Duration) -> MockAnswer {
        var answer = self
        answer.delay = delay
        return answer
    }

    /// The same answer so many times.
    public func repeating(_ count: Int) -> MockAnswer {
        var answer = self
        answer.limit = count
        return answer
    }

    /// The same answer every time; what comes after it is never given.
    public func repeating() -> MockAnswer {
        var answer = self
        answer.limit = nil
        return answer
    }
}

extension MockAnswer {
    /// A status, with a text for a body.
    public static func status(_ status: Int, headers: HTTPHeaders = [:], body: String = "") -> MockAnswer {
        data(Data(body.utf8), status: status, headers: headers)
    }

    /// Bytes.
    public static func data(_ data: Data, status: Int = 200, headers: HTTPHeaders = [:]) -> MockAnswer {
        MockAnswer(.response(status: status, headers: headers, body: data))
    }

    /// JSON as written, right or wrong.
    public static func json(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> MockAnswer {
        data(Data(text.utf8), status: status, headers: headerOfJSON.merging(headers))
    }

    /// A value encoded to JSON.
    public static func json(
        _ value: some Encodable,
        status: Int = 200,
        headers: HTTPHeaders = [:],
        encoder: JSONEncoder = JSONEncoder()
    ) -> MockAnswer {
        do {
            return data(try encoder.encode(value), status: status, headers: headerOfJSON.merging(headers))
        } catch {
            return failure(error)
        }
    }

    /// A failure of the exchange, as a real transport reports it.
    public static func failure(_ failure: TransportFailure, reason: String = "the mock was told to fail") -> MockAnswer
    {
        MockAnswer(.transportFailure(failure, reason: reason))
    }

    /// An error that is thrown as it is; one of this framework's also learns its request.
    public static func failure(_ error: any Error) -> MockAnswer {
        MockAnswer(.failure(error))
    }

    /// No answer until the request is cancelled or reaches its timeout or deadline.
    public static var hang: MockAnswer { MockAnswer(.hang) }

    /// What a closure makes of the request.
    public static func handler(_ body: @escaping @Sendable @concurrent (HTTPRequest) async throws -> MockAnswer)
        -> MockAnswer
    {
        MockAnswer(.computed { try await body($0.request) })
    }

    /// What a closure makes of the request and of the segments that its rule's path names.
    public static func handler(
        _ body:
            @escaping @Sendable @concurrent (_ request: HTTPRequest, _ parameters: [String: String]) async throws ->
            MockAnswer
    ) -> MockAnswer {
        MockAnswer(.computed { try await body($0.request, $0.parameters) })
    }

    private static var headerOfJSON: HTTPHeaders { ["Content-Type": "application/json"] }
}
