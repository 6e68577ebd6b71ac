public import Foundation
public import NetworkEngine

/// Sends operations to a GraphQL server through an HTTP client.
///
/// ```swift
/// let client = GraphQLClient(httpClient: HTTPClient(baseURL: api))
/// let user: UserData = try await client.execute(GraphQLOperation(document: "{ user { name } }"))
/// ```
/// The HTTP client provides interceptors, attempts and everything else. Its retry policy treats an operation sent with
/// POST like any POST request.
public struct GraphQLClient: NetworkCalling {
    private let httpClient: any HTTPClientContract
    private let path: EndpointPath
    private let encoder: JSONEncoder
    private let decoder: JSONDecoder
    private let options: GraphQLClientOptions
    private let subscribe: GraphQLSubscriptionTransport.Subscribe

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - path: the path of the server's endpoint, below the HTTP client's base.
    ///   - encoder: encodes the variables; `nil` for an encoder that sorts keys.
    ///   - decoder: decodes the data of responses instead of the HTTP client's decoder.
    ///   - subscriptions: how responses to subscriptions are received.
    public init(
        httpClient: any HTTPClientContract,
        path: EndpointPath = "/graphql",
        encoder: JSONEncoder? = nil,
        decoder: JSONDecoder = JSONDecoder(),
        options: GraphQLClientOptions = .init(),
        subscriptions: GraphQLSubscriptionTransport = .events
    ) {
        self.httpClient = httpClient
        self.path = path
        let encoder = encoder ?? Self.defaultEncoder
        self.encoder = encoder
        self.decoder = decoder
        self.options = options
        subscribe = subscriptions.connect(
            SubscriptionContext(httpClient: httpClient, path: path, encoder: encoder, options: options))
    }

    /// Creates a client for the path in a variable, which is used unchanged.
    @_disfavoredOverload
    public init(
        httpClient: any HTTPClientContract,
        path: some StringProtocol,
        encoder: JSONEncoder? = nil,
        decoder: JSONDecoder = JSONDecoder(),
        options: GraphQLClientOptions = .init(),
        subscriptions: GraphQLSubscriptionTransport = .events
    ) {
        let path = EndpointPath(String(path))
        self.init(
            httpClient: httpClient, path: path, encoder: encoder, decoder: decoder, options: options,
            subscriptions: subscriptions)
    }

    /// Sorts keys, so that equal operations have equal bodies and caches recognize them.
    private static var defaultEncoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }

    /// Sends an operation, and returns the decoded response.
    ///
    /// A custom decoding receives the whole response: data, errors and extensions.
    @concurrent
    public func run<Value: Sendable>(
        _ operation: GraphQLOperation,
        _ decoding: ResponseDecoding<Value>,
        settings: CallSettings
    ) async throws(GraphQLError) -> Value {
        do throws(GraphQLError) {
            if let type = Value.self as? any SubscribedValue.Type {
                try operation.checkSubscription()
                // The first request is sent when the first response is requested.
                let value = type.init(decoder: decoder, reader: try subscribe(operation), operation: operation)
                if let value = value as? Value { return value }
            }
            var below = settings
            below.onFailure = nil
            return try await send(operation, decoding.using(BodyDecoder(decoder)), below)
        } catch {
            let error = error.completed(by: operation, decoder)
            settings.onFailure?(error.carried)
            throw error
        }
    }

    public func failure(for error: NetworkError) -> GraphQLError { GraphQLError(error) }

    private func send<Value: Sendable>(
        _ operation: GraphQLOperation,
        _ decoding: ResponseDecoding<Value>,
        _ settings: CallSettings
    ) async throws(GraphQLError) -> Value {
        let writer = OperationWriter(path: path, encoder: encoder, usesGET: options.usesGETForQueries)
        guard operation.uploads.isEmpty else {
            // Always a POST with the document's text. Files and streams are read while the request is sent.
            return try await fetch(writer.upload(of: operation), decoding, settings)
        }
        // A body that is not in memory cannot be searched for the server's request for the text.
        guard options.persistsQueries, case .memory = decoding.delivery else {
            return try await fetch(writer.endpoint(for: operation), decoding, settings)
        }
        // The text is sent for the same user as the hash, and within its deadline.
        var settings = settings
        settings.session = settings.session ?? CallSession(sharesOnlyStorage: true, sharesDeadline: true)
        let hash = try writer.endpoint(for: operation, persisted: .hash)
        switch try await sendHash(hash, isQuery: operation.isQuery, decoding, settings) {
        case .value(let value): return value
        case .textRequired(let includesHash):
            let text = try writer.endpoint(for: operation, persisted: includesHash ? .hashAndText : nil)
            return try await fetch(text, decoding, settings)
        }
    }

    private func sendHash<Value: Sendable>(
        _ endpoint: Endpoint,
        isQuery: Bool,
        _ decoding: ResponseDecoding<Value>,
        _ settings: CallSettings
    ) async throws(GraphQLError) -> HashResult<Value> {
        let result = ResponseDecoding<HashResult<Value>> { response, standard in
            let body = try CarriedError.carrying { () throws(GraphQLError) in
                try GraphQLResponseBody(of: response)
            }
            if body.requiresText(isQuery: isQuery) { return .textRequired(includesHash: body.acceptsHash) }
            return .value(try decoding.value(of: response, standard: standard))
        }
        do throws(GraphQLError) {
            return try await fetch(endpoint, result, settings)
        } catch {
            // A non-GraphQL failure can have occurred in a mutation, which must not be sent twice.
            guard isQuery, error.kind == .network, error.networkError?.reportsIncompleteRequest == true else {
                throw error
            }
            return .textRequired(includesHash: false)
        }
    }

    /// Sends a request to the server and reads the response body, even for an error status.
    ///
    /// The body is read as part of the call, so that the call's deadline includes it.
    private func fetch<Value: Sendable>(
        _ endpoint: Endpoint,
        _ decoding: ResponseDecoding<Value>,
        _ settings: CallSettings
    ) async throws(GraphQLError) -> Value {
        do throws(NetworkError) {
            return try await httpClient.run(endpoint, decoding, settings: settings)
        } catch {
            guard GraphQLResponseBody(of: error) != nil, let response = error.response else {
                throw GraphQLError(error)
            }
            do throws(NetworkError) {
                return try decoding.value(of: response, standard: BodyDecoder(decoder))
            } catch {
                throw GraphQLError(error)
            }
        }
    }

    /// The result of sending only the hash of an operation.
    private enum HashResult<Value: Sendable>: Sendable {
        case value(Value)
        /// The server requires the text, with the hash or without it.
        case textRequired(includesHash: Bool)
    }
}
