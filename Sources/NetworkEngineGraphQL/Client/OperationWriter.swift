import Foundation
import NetworkEngine

/// Writes an operation as the endpoint that carries it.
struct OperationWriter {
    /// What of a persisted query is sent.
    enum Persisted { case hash, hashAndText }

    let path: String
    let encoder: JSONEncoder
    let usesGET: Bool

    func endpoint(
        for operation: GraphQLOperation,
        persisted: Persisted? = nil
    ) throws(GraphQLError) -> Endpoint {
        var body = OperationBody(operation)
        if let persisted {
            var hasher = SHA256()
            Array(operation.document.utf8).withUnsafeBytes { hasher.update($0) }
            let query: GraphQLVariable = ["version": 1, "sha256Hash": .string(hasher.hexadecimal)]
            body.extensions = (body.extensions ?? [:]).merging(["persistedQuery": query]) { $1 }
            if persisted == .hash { body.query = nil }
        }
        var endpoint = Endpoint(path: path, headers: ["Accept": Self.accepted])
        if usesGET, operation.isQuery {
            endpoint.queryItems = try items(of: body)
        } else {
            endpoint.method = .post
            endpoint.headers["Content-Type"] = "application/json"
            endpoint.body = try encode(body)
        }
        return endpoint
    }

    private func items(of body: OperationBody) throws(GraphQLError) -> [URLQueryItem] {
        var items: [URLQueryItem] = []
        if let query = body.query { items.append(URLQueryItem(name: "query", value: query)) }
        if let name = body.operationName { items.append(URLQueryItem(name: "operationName", value: name)) }
        for (name, values) in [("variables", body.variables), ("extensions", body.extensions)] {
            guard let values else { continue }
            items.append(URLQueryItem(name: name, value: String(decoding: try encode(values), as: UTF8.self)))
        }
        return items
    }

    private func encode(_ value: some Encodable) throws(GraphQLError) -> Data {
        do throws(NetworkError) {
            return try JSONBody.data(encoding: value, with: encoder)
        } catch {
            throw GraphQLError(kind: .encodingFailed, networkError: error)
        }
    }

    static let accepted = "application/graphql-response+json, application/json;q=0.9"
}
