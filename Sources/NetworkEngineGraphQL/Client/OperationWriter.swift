import Foundation
import NetworkEngine

/// Creates the endpoint that sends an operation.
struct OperationWriter {
    /// The parts of a persisted query to send.
    enum Persisted { case hash, hashAndText }

    let path: EndpointPath
    /// Encodes the variables.
    let encoder: JSONEncoder
    var usesGET = false

    private static let acceptedTypes = "application/graphql-response+json, application/json;q=0.9"

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
        var endpoint = Endpoint(path: path, headers: ["Accept": Self.acceptedTypes])
        endpoint.operationName = operation.observedName
        endpoint.deadline = operation.deadline
        do throws(NetworkError) {
            if usesGET, operation.isQuery {
                endpoint.queryItems = try body.queryItems(by: encoder)
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

    /// Writes the members of an operation as JSON.
    func body(of operation: GraphQLOperation) throws(GraphQLError) -> Data {
        do throws(NetworkError) {
            return try OperationBody(operation).data(by: encoder)
        } catch {
            throw GraphQLError(kind: .encodingFailed, networkError: error)
        }
    }

    /// Creates a multipart body with an operation and its files: the operation, the file map, the files.
    func upload(of operation: GraphQLOperation) throws(GraphQLError) -> Endpoint {
        let uploads = operation.uploads
        do throws(NetworkError) {
            let operations = OperationBody(try operation.replacingUploadsWithNull())
            let names = uploads.indices.map(String.init)
            let map = Dictionary(zip(names, uploads.map { [$0.path] })) { $1 }
            var parts = [
                MultipartFormData(provider: .data(try operations.data(by: encoder)), name: "operations"),
                MultipartFormData(provider: .data(try OperationBody.json(map)), name: "map"),
            ]
            for (name, upload) in zip(names, uploads) {
                let fileName = upload.fileName ?? upload.provider.defaultFileName
                parts.append(
                    MultipartFormData(
                        provider: upload.provider, name: name, fileName: fileName, mimeType: upload.mimeType))
            }
            let body = try MultipartEncoder(jsonEncoder: encoder).encode(parts)
            let headers: HTTPHeaders = ["Accept": Self.acceptedTypes, "Content-Type": body.contentType]
            var endpoint = Endpoint.post(path, headers: headers)
            endpoint.operationName = operation.observedName
            endpoint.deadline = operation.deadline
            return endpoint.body(body.content)
        } catch {
            throw GraphQLError(kind: .encodingFailed, networkError: error)
        }
    }
}

/// An operation's members in a request.
///
/// The protocol defines their names, so the caller's encoder applies only to the variables.
private struct OperationBody {
    var query: String?
    var variables: [String: GraphQLVariable]?
    var operationName: String?
    var extensions: [String: GraphQLVariable]?

    init(_ operation: GraphQLOperation) {
        query = operation.document
        variables = operation.variables
        operationName = operation.operationName
        extensions = operation.extensions
    }

    /// Returns the members as one JSON object, sorted by name.
    ///
    /// - Parameter encoder: encodes the variables.
    func data(by encoder: JSONEncoder) throws(NetworkError) -> Data {
        var data = Data()
        func add(_ name: String, _ json: Data) {
            data.append(contentsOf: "\(data.isEmpty ? "{" : ",")\"\(name)\":".utf8)
            data.append(json)
        }
        if let extensions { add("extensions", try Self.json(extensions)) }
        if let operationName { add("operationName", try Self.json(operationName)) }
        if let query { add("query", try Self.json(query)) }
        if let variables { add("variables", try JSONBody.data(encoding: variables, with: encoder)) }
        data.append(contentsOf: data.isEmpty ? "{}".utf8 : "}".utf8)
        return data
    }

    /// Returns the members as query items: strings unchanged, objects as JSON.
    ///
    /// - Parameter encoder: encodes the variables.
    func queryItems(by encoder: JSONEncoder) throws(NetworkError) -> [URLQueryItem] {
        var items: [URLQueryItem] = []
        func add(_ name: String, _ json: Data) {
            items.append(URLQueryItem(name: name, value: String(decoding: json, as: UTF8.self)))
        }
        if let query { items.append(URLQueryItem(name: "query", value: query)) }
        if let operationName { items.append(URLQueryItem(name: "operationName", value: operationName)) }
        if let variables { add("variables", try JSONBody.data(encoding: variables, with: encoder)) }
        if let extensions { add("extensions", try Self.json(extensions)) }
        return items
    }

    /// Encodes a value that the caller's encoder does not apply to. Equal values produce equal JSON.
    static func json(_ value: some Encodable) throws(NetworkError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try JSONBody.data(encoding: value, with: encoder)
    }
}

extension MultipartFormData.Provider {
    /// Most servers treat a part without a file name as a form field, not as a file.
    fileprivate var defaultFileName: String? {
        if case .file = self { nil } else { "file" }
    }
}
