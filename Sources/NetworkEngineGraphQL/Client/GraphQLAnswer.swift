import Foundation
import NetworkEngine

/// The body of an answer, looked at so far as it can be without knowing what its data is.
struct GraphQLAnswer {
    let body: Data
    let outline: ResponseOutline

    /// Throws `.decoding` for what is no JSON object.
    init(_ body: Data) throws(NetworkError) {
        self.body = body
        outline = try Self.json(body, ResponseOutline.self, by: JSONDecoder())
    }

    /// What a GraphQL server said with a status that is an error; `nil` when somebody else said it.
    init?(of error: NetworkError) {
        guard let body = error.response?.data, let answer = try? GraphQLAnswer(body) else { return nil }
        // Other APIs have errors too, but only these must have messages.
        let outline = answer.outline
        guard outline.hasData || !outline.errors.isEmpty, outline.errors.allSatisfy({ !$0.message.isEmpty }) else {
            return nil
        }
        self = answer
    }

    /// The whole body as a value.
    func json<Value: Decodable>(_ type: Value.Type, by decoder: JSONDecoder) throws(NetworkError) -> Value {
        try Self.json(body, type, by: decoder)
    }

    /// Whether the server does not know the hash, or knows nothing of hashes.
    var asksForText: Bool { says("PersistedQueryNotFound", "PERSISTED_QUERY_NOT_FOUND") || !mayBePersisted }

    var mayBePersisted: Bool { !says("PersistedQueryNotSupported", "PERSISTED_QUERY_NOT_SUPPORTED") }

    private func says(_ message: String, _ code: String) -> Bool {
        outline.errors.contains { $0.message == message || $0.code == code }
    }

    /// By way of a response, so that the errors of decoding read the same everywhere.
    private static func json<Value: Decodable>(
        _ body: Data,
        _ type: Value.Type,
        by decoder: JSONDecoder
    ) throws(NetworkError) -> Value {
        let request = HTTPRequest(url: URL(fileURLWithPath: "/"))
        do throws(NetworkError) {
            return try HTTPResponse(statusCode: 200, body: .data(body), request: request).json(type, by: BodyDecoder(decoder))
        } catch {
            throw NetworkError(kind: .decoding, reason: error.reason, underlying: error.underlying)
        }
    }
}
