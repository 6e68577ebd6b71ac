import Foundation
import NetworkEngine

/// The body of an answer, looked at so far as it can be without knowing what its data is.
struct GraphQLAnswer: Sendable {
    let body: Data
    let outline: ResponseOutline
    /// The status, when it is that of an error.
    private(set) var errorStatus: Int?

    /// What the server says went wrong.
    var errors: [GraphQLResponseError] { outline.errors ?? [] }

    /// Throws `.decoding` for what is no JSON object.
    init(_ body: Data) throws(NetworkError) {
        self.body = body
        do {
            outline = try ResponseOutline(of: body)
        } catch {
            throw .decoding(error, ofAnswer: body)
        }
    }

    /// What a GraphQL server said with a status that is an error; `nil` when somebody else said it.
    init?(of error: NetworkError) {
        guard let body = error.response?.data, var answer = try? GraphQLAnswer(body) else { return nil }
        // Other APIs have errors too, but only these must have messages.
        guard answer.outline.hasData || !answer.errors.isEmpty, answer.errors.allSatisfy({ !$0.message.isEmpty }) else {
            return nil
        }
        answer.errorStatus = error.statusCode
        self = answer
    }

    /// The data of an answer without errors.
    func data<Value: Decodable>(by decoder: JSONDecoder) throws(GraphQLError) -> Value {
        guard errors.isEmpty else { throw GraphQLError(kind: .responseErrors, errors: errors, body: body) }
        guard let data: Value = try response(by: decoder).data else {
            throw GraphQLError(kind: .invalidResponse, body: body)
        }
        return data
    }

    /// The answer with data and errors as they are.
    ///
    /// - Parameter decoder: decodes the data and nothing else.
    func response<Value: Decodable>(by decoder: JSONDecoder) throws(GraphQLError) -> GraphQLResponse<Value> {
        guard outline.isGraphQL else { throw GraphQLError(kind: .invalidResponse, body: body) }
        do {
            let data = try outline.data(Value.self, in: body, by: decoder)
            return GraphQLResponse(data: data, errors: outline.errors, lazyExtensions: outline.extensions)
        } catch {
            let error = NetworkError.decoding(error, ofAnswer: body)
            throw GraphQLError(kind: .decodingFailed, errors: errors, networkError: error, body: body)
        }
    }

    /// Whether the server does not know the hash, or does not know hashes.
    var asksForText: Bool {
        isUnknownHash || says("PersistedQueryNotSupported", "PERSISTED_QUERY_NOT_SUPPORTED") || isRejection
    }

    /// Whether the hash may be sent beside the text, so that the server knows it next time.
    var mayBePersisted: Bool { isUnknownHash }

    private var isUnknownHash: Bool { says("PersistedQueryNotFound", "PERSISTED_QUERY_NOT_FOUND") }

    /// Whether the server rejects the request itself. An operation that was carried out has `data`, if only null.
    private var isRejection: Bool {
        !errors.isEmpty && !outline.containsData && (errorStatus.map(NetworkError.saysRequestIsIncomplete) ?? true)
    }

    private func says(_ message: String, _ code: String) -> Bool {
        errors.contains { $0.message == message || $0.code == code }
    }
}

extension NetworkError {
    /// Whether a server may have sent this because it found no query in the request.
    var saysRequestIsIncomplete: Bool { kind == .status && statusCode.map(Self.saysRequestIsIncomplete) == true }

    fileprivate static func saysRequestIsIncomplete(_ status: Int) -> Bool { status == 400 || status == 422 }

    /// By way of a response, so that the errors of decoding read the same everywhere.
    fileprivate static func decoding(_ error: any Error, ofAnswer body: Data) -> NetworkError {
        let request = HTTPRequest(url: URL(fileURLWithPath: "/"))
        let error = decoding(error, of: HTTPResponse(statusCode: 200, body: .data(body), request: request))
        return NetworkError(kind: .decoding, reason: error.reason, underlying: error.underlying)
    }
}
