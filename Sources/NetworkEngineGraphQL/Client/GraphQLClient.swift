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
        do throws(GraphQLError) {
            return try await answer(to: operation) { [decoder] answer throws(GraphQLError) in
                try answer.data(by: decoder)
            }
        } catch {
            throw error.completed(by: operation, decoder)
        }
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
        do throws(GraphQLError) {
            return try await httpClient.answer(to: upload.endpoint, body: upload.body) {
                [decoder] answer throws(GraphQLError) in try answer.data(by: decoder)
            }
        } catch {
            throw error.completed(by: operation, decoder)
        }
    }

    @concurrent
    public func response<Value: Decodable & Sendable>(
        to operation: GraphQLOperation
    ) async throws(GraphQLError) -> GraphQLResponse<Value> {
        do throws(GraphQLError) {
            return try await answer(to: operation) { [decoder] answer throws(GraphQLError) in
                try answer.response(by: decoder)
            }
        } catch {
            throw error.completed(by: operation, decoder)
        }
    }

    private func answer<Output: Sendable>(
        to operation: GraphQLOperation,
        _ read: @escaping @Sendable (GraphQLAnswer) throws(GraphQLError) -> Output
    ) async throws(GraphQLError) -> Output {
        let writer = OperationWriter(path: path, encoder: encoder, usesGET: options.usesGETForQueries)
        guard options.persistsQueries else {
            return try await httpClient.answer(to: writer.endpoint(for: operation), read)
        }
        switch try await persisted(try writer.endpoint(for: operation, persisted: .hash), read) {
        case .output(let output): return output
        case .refused(let mayBePersisted):
            let text = try writer.endpoint(for: operation, persisted: mayBePersisted ? .hashAndText : nil)
            return try await httpClient.answer(to: text, read)
        }
    }

    private func persisted<Output: Sendable>(
        _ hash: Endpoint,
        _ read: @escaping @Sendable (GraphQLAnswer) throws(GraphQLError) -> Output
    ) async throws(GraphQLError) -> Persisted<Output> {
        do throws(GraphQLError) {
            return try await httpClient.answer(to: hash) { answer throws(GraphQLError) -> Persisted<Output> in
                answer.asksForText ? .refused(mayBePersisted: answer.mayBePersisted) : .output(try read(answer))
            }
        } catch {
            guard error.kind == .network, let failure = error.networkError, failure.saysRequestIsIncomplete else {
                throw error
            }
            return .refused(mayBePersisted: false)
        }
    }

    /// What comes of an operation whose hash was sent.
    private enum Persisted<Output: Sendable>: Sendable {
        case output(Output)
        /// The text is wanted, with the hash or without it.
        case refused(mayBePersisted: Bool)
    }
}
