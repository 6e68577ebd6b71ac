public import Foundation
public import NetworkEngine

/// Asks a GraphQL server, by way of an HTTP client.
///
/// ```swift
/// let client = GraphQLClient(httpClient: HTTPClient(baseURL: api))
/// let user: UserData = try await client.execute(GraphQLOperation(document: "{ user { name } }"))
/// ```
/// It has no engine of its own: interceptors, attempts and everything else are the HTTP client's. A POST is retried as the
/// client's policy has it for any POST.
public struct GraphQLClient: GraphQLClientContract {
    let httpClient: any HTTPClientContract
    let path: String
    let encoder: JSONEncoder
    let decoder: JSONDecoder
    let options: GraphQLClientOptions

    public init(
        httpClient: any HTTPClientContract,
        path: String = "/graphql",
        encoder: JSONEncoder? = nil,
        decoder: JSONDecoder = JSONDecoder(),
        options: GraphQLClientOptions = .init()
    ) {
        self.httpClient = httpClient
        self.path = path
        self.encoder = encoder ?? Self.steadyEncoder
        self.decoder = decoder
        self.options = options
    }

    /// Writes the same operation the same way each time, as caches want it.
    private static var steadyEncoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }

    @concurrent
    public func execute<Value: Decodable & Sendable>(
        _ operation: GraphQLOperation
    ) async throws(GraphQLError) -> Value {
        try data(of: try await answer(to: operation))
    }

    /// Sends files along with an operation.
    ///
    /// By POST and with its text, whatever the options say. Everything is held in memory while it is sent.
    @concurrent
    public func execute<Value: Decodable & Sendable>(
        _ operation: GraphQLOperation,
        uploads: [GraphQLUpload]
    ) async throws(GraphQLError) -> Value {
        let writer = UploadWriter(path: path, encoder: encoder)
        let upload = try writer.endpoint(for: operation, uploads: uploads)
        let answer = try await answer { () async throws(NetworkError) in
            try await httpClient.request(upload.endpoint, body: upload.body)
        }
        return try data(of: answer)
    }

    @concurrent
    public func response<Value: Decodable & Sendable>(
        to operation: GraphQLOperation
    ) async throws(GraphQLError) -> GraphQLResponse<Value> {
        let answer = try await answer(to: operation)
        guard answer.outline.isGraphQL else { throw GraphQLError(kind: .invalidResponse, body: answer.body) }
        return try decode(answer, as: Value.self)
    }

    private func answer(to operation: GraphQLOperation) async throws(GraphQLError) -> GraphQLAnswer {
        let writer = OperationWriter(path: path, encoder: encoder, usesGET: options.usesGETForQueries)
        guard options.persistsQueries else { return try await send(writer.endpoint(for: operation)) }
        let answer = try await send(writer.endpoint(for: operation, persisted: .hash))
        guard answer.asksForText else { return answer }
        return try await send(writer.endpoint(for: operation, persisted: answer.mayBePersisted ? .hashAndText : nil))
    }

    private func send(_ endpoint: Endpoint) async throws(GraphQLError) -> GraphQLAnswer {
        try await answer { () async throws(NetworkError) in try await httpClient.request(endpoint) }
    }

    /// The answer of a GraphQL server, whatever its status.
    private func answer(
        _ bytes: () async throws(NetworkError) -> Data
    ) async throws(GraphQLError) -> GraphQLAnswer {
        do throws(NetworkError) {
            return try GraphQLAnswer(try await bytes())
        } catch {
            if error.kind == .status, let answer = GraphQLAnswer(of: error) { return answer }
            let body = error.response?.data ?? Data()
            throw GraphQLError(
                kind: error.kind == .decoding ? .decodingFailed : .network, networkError: error, body: body)
        }
    }

    /// The data of an answer without errors.
    private func data<Value: Decodable>(of answer: GraphQLAnswer) throws(GraphQLError) -> Value {
        guard answer.outline.errors.isEmpty else {
            throw GraphQLError(kind: .responseErrors, errors: answer.outline.errors, body: answer.body)
        }
        guard let data = try decode(answer, as: Value.self).data else {
            throw GraphQLError(kind: .invalidResponse, body: answer.body)
        }
        return data
    }

    private func decode<Value: Decodable>(
        _ answer: GraphQLAnswer,
        as type: Value.Type
    ) throws(GraphQLError) -> GraphQLResponse<Value> {
        do throws(NetworkError) {
            return try answer.json(GraphQLResponse<Value>.self, by: decoder)
        } catch {
            throw GraphQLError(
                kind: .decodingFailed, errors: answer.outline.errors, networkError: error, body: answer.body)
        }
    }
}
