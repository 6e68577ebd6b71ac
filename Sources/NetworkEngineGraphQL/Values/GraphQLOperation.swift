/// What is asked of a GraphQL server: a document, values for its variables, and which operation of it is meant.
///
/// ```swift
/// let operation = GraphQLOperation(document: "query User($id: ID!) { user(id: $id) { name } }", variables: ["id": 7])
/// ```
/// What is `nil` is not sent.
public struct GraphQLOperation: Hashable, Sendable {
    public var document: String
    public var variables: [String: GraphQLVariable]?
    public var operationName: String?
    /// What the server offers beyond the specification.
    public var extensions: [String: GraphQLVariable]?

    public init(
        document: String,
        variables: [String: GraphQLVariable]? = nil,
        operationName: String? = nil,
        fragments: [GraphQLFragment] = []
    ) {
        self.document = document.appending(fragments)
        self.variables = variables
        self.operationName = operationName
    }

    /// Whether it only reads, as far as the document says.
    var isQuery: Bool { DocumentReader(document).kind(of: operationName) == "query" }
}

extension GraphQLOperation: CustomStringConvertible, CustomReflectable {
    /// Kind and name of the operation and the names of its variables, without their values and without the document.
    public var description: String {
        let kind = DocumentReader(document).kind(of: operationName) ?? "operation"
        let name = operationName.map { " " + $0 } ?? ""
        let variables = (variables ?? [:]).keys.sorted().map { "$" + $0 }.joined(separator: ", ")
        return kind + name + (variables.isEmpty ? "" : "(\(variables))")
    }

    public var customMirror: Mirror { Mirror(self, children: ["operation": description], displayStyle: .struct) }
}
