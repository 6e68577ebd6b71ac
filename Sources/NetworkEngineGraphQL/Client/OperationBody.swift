import Foundation
import NetworkEngine

/// An operation as it is sent.
///
/// The names are those of the protocol, whatever the caller's encoder does to names; the variables are the caller's.
struct OperationBody {
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

    /// The members that are there as one JSON object, in the order of their names.
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

    /// The JSON of something that is none of the caller's business, the same each time.
    static func json(_ value: some Encodable) throws(NetworkError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try JSONBody.data(encoding: value, with: encoder)
    }
}
