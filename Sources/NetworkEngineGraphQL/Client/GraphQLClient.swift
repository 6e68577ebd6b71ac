public import Foundation
public import NetworkEngine

/// Sends operations to a GraphQL server through an HTTP client.
///
/// ```swift
/// let client = GraphQLClient(httpClient: HTTPClient(baseURL: api))
/// let user: UserData = try await client.execute(GraphQLOperation(document: "{ user { name } }"))
/// ```
/// The HTTP client supplies interceptors, attempts and everything else. Its retry policy treats an operation sent with
/// POST like any POST request.
public struct GraphQLClient: GraphQLClientContract {
    private let httpClient: any HTTPClientContract
    private let path: Path
    private let encoder: JSONEncoder
    private let decoder: JSONDecoder
    private let options: GraphQLClientOptions

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - path: the path of the server's endpoint, below the base of the HTTP client.
    ///   - encoder: encodes the variables; `nil` for an encoder that sorts keys.
    ///   - decoder: decodes the data of responses, in place of the decoder of the HTTP client.
    public init(
        httpClient: any HTTPClientContract,
        path: Path = "/graphql",
        encoder: JSONEncoder? = nil,
        decoder: JSONDecoder = JSONDecoder(),
        options: GraphQLClientOptions = .init()
    ) {
        self.httpClient = httpClient
        self.path = path
        self.encoder = encoder ?? Self.defaultEncoder
        self.decoder = decoder
        self.options = options
    }

    /// Creates a client for the path of a variable, which is taken as it is.
    @_disfavoredOverload
    public init(
        httpClient: any HTTPClientContract,
        path: some StringProtocol,
        encoder: JSONEncoder? = nil,
        decoder: JSONDecoder = JSONDecoder(),
        options: GraphQLClientOptions = .init()
    ) {
        let path = Path(String(path))
        self.init(httpClient: httpClient, path: path, encoder: encoder, decoder: decoder, options: options)
    }

    /// Sorts keys, so that equal operations have equal bodies and caches recognize them.
    private static var defaultEncoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }

    @concurrent
    public func execute<Value: Decodable & Sendable>(
        _ operation: GraphQLOperation
    ) async throws(GraphQLError) -> Value {
        do throws(GraphQLError) {
            return try await run(operation) { [decoder] body throws(GraphQLError) in
                try body.data(by: decoder)
            }
        } catch {
            throw error.completed(by: operation, decoder)
        }
    }

    /// Sends files together with an operation.
    ///
    /// The request is always a POST with the document's text, regardless of the options. Files and streams are read
    /// while the request is sent.
    @concurrent
    public func execute<Value: Decodable & Sendable>(
        _ operation: GraphQLOperation,
        uploads: [GraphQLUpload]
    ) async throws(GraphQLError) -> Value {
        let upload = try OperationWriter(path: path, encoder: encoder).upload(of: operation, with: uploads)
        do throws(GraphQLError) {
            return try await httpClient.fetch(upload.endpoint, body: upload.body) {
                [decoder] body throws(GraphQLError) in try body.data(by: decoder)
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
            return try await run(operation) { [decoder] body throws(GraphQLError) in
                try body.response(by: decoder)
            }
        } catch {
            throw error.completed(by: operation, decoder)
        }
    }

    /// Returns the responses to a subscription. The first request is sent when the first response is requested.
    ///
    /// The request is always a POST with the document's text, regardless of the options.
    public func subscribe<Value: Decodable & Sendable>(
        to operation: GraphQLOperation,
        as type: Value.Type
    ) -> GraphQLSubscription<Value> {
        do throws(GraphQLError) {
            var endpoint = try OperationWriter(path: path, encoder: encoder).endpoint(for: operation)
            // Servers compare the whole header with this value.
            endpoint.headers["Accept"] = "text/event-stream"
            var events = httpClient.events(endpoint)
            events.reconnectLimit = options.reconnectLimit
            // An event without data completes a subscription.
            events.includesEventsWithoutData = true
            return GraphQLSubscription(events, decoder: decoder)
        } catch {
            return GraphQLSubscription([], failure: error)
        }
    }

    private func run<Output: Sendable>(
        _ operation: GraphQLOperation,
        _ read: @escaping @Sendable (GraphQLResponseBody) throws(GraphQLError) -> Output
    ) async throws(GraphQLError) -> Output {
        let writer = OperationWriter(path: path, encoder: encoder, usesGET: options.usesGETForQueries)
        guard options.persistsQueries else {
            return try await httpClient.fetch(writer.endpoint(for: operation), read)
        }
        let hash = try writer.endpoint(for: operation, persisted: .hash)
        switch try await sendHash(hash, isQuery: operation.isQuery, read) {
        case .output(let output): return output
        case .textRequired(let includesHash):
            let text = try writer.endpoint(for: operation, persisted: includesHash ? .hashAndText : nil)
            return try await httpClient.fetch(text, read)
        }
    }

    private func sendHash<Output: Sendable>(
        _ endpoint: Endpoint,
        isQuery: Bool,
        _ read: @escaping @Sendable (GraphQLResponseBody) throws(GraphQLError) -> Output
    ) async throws(GraphQLError) -> HashResult<Output> {
        do throws(GraphQLError) {
            return try await httpClient.fetch(endpoint) { body throws(GraphQLError) -> HashResult<Output> in
                body.requiresText(isQuery: isQuery)
                    ? .textRequired(includesHash: body.acceptsHash) : .output(try read(body))
            }
        } catch {
            guard error.kind == .network, let failure = error.networkError, failure.reportsIncompleteRequest else {
                throw error
            }
            return .textRequired(includesHash: false)
        }
    }

    /// The result of sending only the hash of an operation.
    private enum HashResult<Output: Sendable>: Sendable {
        case output(Output)
        /// The server requires the text, with the hash or without it.
        case textRequired(includesHash: Bool)
    }
}

/// Options for sending operations, where the specification leaves a choice.
public struct GraphQLClientOptions: Hashable, Sendable {
    /// Whether queries are sent with GET, so that caches can store the responses. Mutations are never sent with GET.
    public var usesGETForQueries = false
    /// Whether the client first sends the hash of a document, and the text only if the server requires it.
    ///
    /// A server without support for hashes rejects the first request with status 400 or 422, or with errors and no
    /// `data`. The client then sends the text without the hash. With such a server each operation takes two requests. A
    /// query is also sent with its text if the hash gives errors and no data at all.
    public var persistsQueries = false
    /// The maximum number of consecutive connections of a subscription that fail or end without data.
    public var reconnectLimit = 10

    /// Creates options with their default values.
    public init() {}
}
