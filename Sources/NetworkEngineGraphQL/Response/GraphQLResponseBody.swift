import Foundation
import NetworkEngine

/// The body of a GraphQL response, decoded except for its data.
struct GraphQLResponseBody: Sendable {
    private let bytes: Data
    private let envelope: ResponseEnvelope
    /// The status of a failed response.
    private var errorStatus: Int?

    /// The errors that the server reported.
    var errors: [GraphQLResponseError] { envelope.errors ?? [] }

    /// Throws `.decodingFailed` if the body is not a JSON object.
    init(_ bytes: Data) throws(GraphQLError) {
        do {
            self.bytes = bytes
            envelope = try ResponseEnvelope(of: bytes)
        } catch {
            throw GraphQLError(
                kind: .decodingFailed, networkError: .decoding(error, ofResponseBody: bytes), body: bytes)
        }
    }

    /// A GraphQL server's response with a failure status; `nil` if the response is not from a GraphQL server.
    ///
    /// A body without errors that does not have GraphQL's content type may come from a proxy (GraphQL over HTTP,
    /// *Processing the response*).
    init?(of error: NetworkError) {
        guard error.kind == .status, let response = error.response, var body = try? GraphQLResponseBody(response.data)
        else { return nil }
        let isResponse = body.envelope.hasData && response.isOfGraphQL
        // Other APIs also report errors. Only GraphQL requires each of them to have a message.
        guard isResponse || !body.errors.isEmpty, body.errors.allSatisfy({ !$0.message.isEmpty }) else { return nil }
        body.errorStatus = error.statusCode
        self = body
    }

    /// A response's body, including whether the status is a failure.
    init(of response: HTTPResponse) throws(GraphQLError) {
        try self.init(response.data)
        if !(200..<300).contains(response.statusCode) { errorStatus = response.statusCode }
    }

    /// Returns the data. Throws if the response has errors or no data.
    func data<Value: Decodable>(by decoder: BodyDecoder) throws(GraphQLError) -> Value {
        guard errors.isEmpty else { throw GraphQLError(kind: .responseErrors, errors: errors, body: bytes) }
        guard let data: Value = try response(by: decoder).data else {
            throw GraphQLError(kind: .invalidResponse, body: bytes)
        }
        return data
    }

    /// Returns the response with its data and errors.
    ///
    /// - Parameter decoder: decodes only the data.
    func response<Value: Decodable>(by decoder: BodyDecoder) throws(GraphQLError) -> GraphQLResponse<Value> {
        guard envelope.isGraphQL else { throw GraphQLError(kind: .invalidResponse, body: bytes) }
        do {
            let data = try envelope.data(Value.self, in: bytes, by: decoder)
            return GraphQLResponse(data: data, errors: envelope.errors, lazyExtensions: envelope.extensions)
        } catch {
            let error = NetworkError.decoding(error, ofResponseBody: bytes)
            throw GraphQLError(kind: .decodingFailed, errors: errors, networkError: error, body: bytes)
        }
    }
}

extension GraphQLResponseBody {
    /// Whether the server does not have the hash or does not support hashes.
    ///
    /// Data, and an error with a path, show that the operation was executed: a server can pass on the errors of other
    /// servers.
    ///
    /// - Parameter isQuery: whether the operation can be sent twice. Some servers report an unknown hash with a custom
    ///   error and `data` that is null, as for a failed operation.
    func requiresText(isQuery: Bool) -> Bool {
        guard !envelope.hasData else { return false }
        return isUnknownHash || reports("PersistedQueryNotSupported", "PERSISTED_QUERY_NOT_SUPPORTED") || isRejection
            || (isQuery && errorStatus == nil && !errors.isEmpty)
    }

    /// Whether the server stores a hash that is sent together with the text.
    var acceptsHash: Bool { isUnknownHash }

    private var isUnknownHash: Bool { reports("PersistedQueryNotFound", "PERSISTED_QUERY_NOT_FOUND") }

    /// Whether the server rejected the request itself. The response of an executed operation contains `data`, even if
    /// null.
    private var isRejection: Bool {
        !errors.isEmpty && !envelope.containsData && !errors.contains { $0.message.isEmpty || $0.path != nil }
            && (errorStatus.map(NetworkError.reportsIncompleteRequest) ?? true)
    }

    private func reports(_ message: String, _ code: String) -> Bool {
        errors.contains { $0.path == nil && ($0.message == message || $0.code == code) }
    }
}

extension HTTPResponse {
    /// Whether the body has the content type that only GraphQL servers send.
    fileprivate var isOfGraphQL: Bool {
        let type = headers["Content-Type"]?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        return type?.lowercased() == "application/graphql-response+json"
    }
}

extension NetworkError {
    /// Whether a server may have responded this way because the request contains no query.
    var reportsIncompleteRequest: Bool { kind == .status && statusCode.map(Self.reportsIncompleteRequest) == true }

    fileprivate static func reportsIncompleteRequest(_ status: Int) -> Bool { status == 400 || status == 422 }

    /// Wraps a decoding error by way of a response, so that decoding errors have the same reason everywhere.
    fileprivate static func decoding(_ error: any Error, ofResponseBody body: Data) -> NetworkError {
        let request = HTTPRequest(url: URL(fileURLWithPath: "/"))
        let error = decoding(error, of: HTTPResponse(statusCode: 200, body: .data(body), request: request))
        return NetworkError(kind: .decoding, reason: error.reason, underlying: error.underlying)
    }
}
