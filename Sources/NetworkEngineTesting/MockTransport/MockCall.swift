import NetworkEngine

/// A request on its way to an answer, with what its rule found in it.
struct MockCall: Sendable {
    let request: HTTPRequest
    /// The segments that the rule's path names.
    let parameters: [String: String]
    /// How often the answer was given before.
    let use: Int
}
