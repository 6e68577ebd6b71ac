public import Foundation
public import NetworkEngine

/// A mock transport's answer to a request: a response, a failure, or no answer at all.
///
/// ```swift
/// .status(503, headers: ["Retry-After": "2"])
/// .json(#"{"id": 7}"#).delayed(by: .seconds(1))
/// .failure(.dns).repeating(2)
/// ```
/// An answer is used once, unless it repeats.
public struct MockAnswer: HTTPAnswer {
    enum Content: Sendable {
        case response(status: Int, headers: HTTPHeaders, body: Data)
        case failure(any Error)
        case transportFailure(TransportFailure, reason: String)
        case hang
        case exchange(Exchange)
        case computed(@Sendable @concurrent (MockCall) async throws -> MockAnswer)
    }

    /// Answers a request like a transport. The request body is in memory, as in `requests`.
    package typealias Exchange =
        @Sendable @concurrent (_ request: HTTPRequest, _ context: TransportContext) async throws -> HTTPResponse

    let content: Content
    private(set) var delay: Duration = .zero
    /// Fields in addition to the content's.
    private(set) var addedHeaders = HTTPHeaders()
    /// The trailer fields; `nil` for the content's.
    private(set) var trailers: HTTPHeaders?
    /// The number of uses; `nil` for no limit.
    private(set) var limit: Int? = 1

    init(_ content: Content) { self.content = content }

    /// Answers with a response that may be streamed, or that uses another protocol.
    package init(exchange: @escaping Exchange) { content = .exchange(exchange) }

    /// Returns the answer with a delay on the transport's clock. The request fails if the delay exceeds its timeout.
    public func delayed(by delay: Duration) -> MockAnswer {
        var answer = self
        answer.delay = delay
        return answer
    }

    /// Returns the answer with an additional header field, keeping fields with the same name. Failures have no fields.
    public func header(_ name: String, _ value: String) -> MockAnswer {
        var answer = self
        answer.addedHeaders.add(value, for: name)
        return answer
    }

    /// Returns the answer with trailer fields. Failures have none.
    public func trailers(_ trailers: HTTPHeaders) -> MockAnswer {
        var answer = self
        answer.trailers = trailers
        return answer
    }

    /// Returns the answer for the given number of uses.
    public func repeating(_ count: Int) -> MockAnswer {
        var answer = self
        answer.limit = count
        return answer
    }

    /// Returns the answer for an unlimited number of uses. Later answers are never used.
    public func repeating() -> MockAnswer {
        var answer = self
        answer.limit = nil
        return answer
    }
}

extension MockAnswer {
    /// Answers with status 204 and no body.
    public static var empty: MockAnswer { status(204) }

    /// Answers with a redirect.
    public static func redirect(to location: String, status: Int = 302, headers: HTTPHeaders = [:]) -> MockAnswer {
        let target: HTTPHeaders = ["Location": location]
        return .status(status, headers: target.merging(headers))
    }

    /// Answers with bytes.
    ///
    /// - Parameter type: The `Content-Type`, unless the headers contain one; `nil` for none.
    public static func data(
        _ data: Data,
        type: String? = nil,
        status: Int = 200,
        headers: HTTPHeaders = [:]
    ) -> MockAnswer {
        let typed: HTTPHeaders = type.map { ["Content-Type": $0] } ?? [:]
        return MockAnswer(.response(status: status, headers: typed.merging(headers), body: data))
    }

    /// Answers with a value encoded as JSON.
    public static func json(
        _ value: some Encodable,
        status: Int = 200,
        headers: HTTPHeaders = [:],
        encoder: JSONEncoder = JSONEncoder()
    ) -> MockAnswer {
        do {
            return data(try encoder.encode(value), type: "application/json", status: status, headers: headers)
        } catch {
            return failure(error)
        }
    }

    /// Fails the exchange like a real transport.
    public static func failure(_ failure: TransportFailure, reason: String = "the mock was told to fail") -> MockAnswer
    {
        MockAnswer(.transportFailure(failure, reason: reason))
    }

    /// Throws an error. A `NetworkError` without a request gets the current one.
    public static func failure(_ error: any Error) -> MockAnswer {
        MockAnswer(.failure(error))
    }

    /// Waits until the request is canceled or reaches its timeout or deadline.
    public static var hang: MockAnswer { MockAnswer(.hang) }

    /// Answers with the result of a closure.
    public static func handler(_ body: @escaping @Sendable @concurrent (HTTPRequest) async throws -> MockAnswer)
        -> MockAnswer
    {
        MockAnswer(.computed { try await body($0.request) })
    }

    /// Answers with the result of a closure that also receives the named segments of the rule's path.
    public static func handler(
        _ body:
            @escaping @Sendable @concurrent (_ request: HTTPRequest, _ parameters: [String: String]) async throws ->
            MockAnswer
    ) -> MockAnswer {
        MockAnswer(.computed { try await body($0.request, $0.parameters) })
    }
}

/// A request with the values that its rule extracted.
struct MockCall: Sendable {
    /// The request with its body in memory.
    let request: HTTPRequest
    /// The named segments of the rule's path.
    let parameters: [String: String]
    /// The number of previous uses of the answer.
    let use: Int
}
