/// A GraphQL operation: a document, its variables and the name of the operation in the document.
///
/// ```swift
/// let operation = GraphQLOperation(document: "query User($id: ID!) { user(id: $id) { name } }", variables: ["id": 7])
/// ```
/// Members that are `nil` are not sent.
public struct GraphQLOperation: Hashable, Sendable {
    /// The document's text, with its fragments.
    public var document: String
    /// The values of the variables, by name without the `$`.
    public var variables: [String: GraphQLVariable]?
    /// The name of the operation to execute. A document with several operations requires it.
    public var operationName: String?
    /// Protocol extensions, for servers that support them.
    public var extensions: [String: GraphQLVariable]?
    /// The maximum duration of the operation, including retries and delays; `nil` to use the configuration's deadline.
    ///
    /// The shorter of the two applies. It is not sent.
    public var deadline: Duration?
    /// The files to send with the operation; none for a subscription. They are compared by their paths and names.
    public var uploads: [GraphQLUpload] = []

    /// Creates an operation.
    ///
    /// - Parameter fragments: the fragments to append to the document, once each, including the fragments that they
    ///   use.
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

    /// The name for observers: the operation's name, even if only the document contains it.
    var observedName: String? { operationName ?? DocumentReader(document).onlyName }

    /// Whether the document declares the operation as a query.
    var isQuery: Bool { DocumentReader(document).kind(of: operationName) == "query" }
}

extension GraphQLOperation: CustomStringConvertible, CustomReflectable {
    /// The kind and name of the operation and the names of its variables. Omits their values and the document.
    public var description: String {
        let kind = DocumentReader(document).kind(of: operationName) ?? "operation"
        let name = operationName.map { " " + $0 } ?? ""
        let variables = (variables ?? [:]).keys.sorted().map { "$" + $0 }.joined(separator: ", ")
        return kind + name + (variables.isEmpty ? "" : "(\(variables))")
    }

    public var customMirror: Mirror { Mirror(self, children: ["operation": description], displayStyle: .struct) }
}

/// A fragment shared by several operations.
///
/// ```swift
/// let userParts = GraphQLFragment("fragment UserParts on User { id name }")
/// let operation = GraphQLOperation(document: "query Me { me { ...UserParts } }", fragments: [userParts])
/// ```
public struct GraphQLFragment: Hashable, Sendable {
    /// The fragment's text.
    public var document: String
    /// The fragments that this fragment uses.
    public var fragments: [GraphQLFragment]

    /// Creates a fragment.
    public init(_ document: String, fragments: [GraphQLFragment] = []) {
        self.document = document
        self.fragments = fragments
    }
}

extension String {
    /// Returns the document followed by each fragment, once.
    fileprivate func appending(_ fragments: [GraphQLFragment]) -> String {
        var documents = [self]
        var pending = fragments[...]
        while let fragment = pending.popFirst() {
            guard !documents.contains(fragment.document) else { continue }
            documents.append(fragment.document)
            pending += fragment.fragments
        }
        return documents.joined(separator: "\n")
    }
}
