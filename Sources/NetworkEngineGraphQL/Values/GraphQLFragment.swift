/// A fragment that several operations use.
///
/// ```swift
/// let userParts = GraphQLFragment("fragment UserParts on User { id name }")
/// let operation = GraphQLOperation(document: "query Me { me { ...UserParts } }", fragments: [userParts])
/// ```
public struct GraphQLFragment: Hashable, Sendable {
    public var document: String
    /// The fragments that this one uses.
    public var fragments: [GraphQLFragment]

    public init(_ document: String, fragments: [GraphQLFragment] = []) {
        self.document = document
        self.fragments = fragments
    }
}

extension String {
    /// The document with each fragment behind it, once.
    func appending(_ fragments: [GraphQLFragment]) -> String {
        var texts = [self]
        var waiting = fragments[...]
        while let fragment = waiting.popFirst() {
            guard !texts.contains(fragment.document) else { continue }
            texts.append(fragment.document)
            waiting += fragment.fragments
        }
        return texts.joined(separator: "\n")
    }
}
