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
        do throws(NetworkError) {
            if usesGET, operation.isQuery {
                endpoint.queryItems = try items(of: body)
            } else {
                endpoint.method = .post
                endpoint.headers["Content-Type"] = JSONBody.contentType
                endpoint.body = try body.data(by: encoder)
            }
        } catch {
            throw GraphQLError(kind: .encodingFailed, networkError: error)
        }
        return endpoint
    }

    /// Texts go into a query as they are, objects as JSON.
    private func items(of body: OperationBody) throws(NetworkError) -> [URLQueryItem] {
        var items: [URLQueryItem] = []
        func add(_ name: String, _ json: Data) {
            items.append(URLQueryItem(name: name, value: String(decoding: json, as: UTF8.self)))
        }
        if let query = body.query { items.append(URLQueryItem(name: "query", value: query)) }
        if let name = body.operationName { items.append(URLQueryItem(name: "operationName", value: name)) }
        if let variables = body.variables { add("variables", try JSONBody.data(encoding: variables, with: encoder)) }
        if let extensions = body.extensions { add("extensions", try OperationBody.json(extensions)) }
        return items
    }

    static let accepted = "application/graphql-response+json, application/json;q=0.9"
}
