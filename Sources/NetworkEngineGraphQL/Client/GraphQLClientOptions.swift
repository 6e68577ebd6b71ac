/// How operations go to the server, where the specification leaves a choice.
public struct GraphQLClientOptions: Hashable, Sendable {
    /// Whether queries are sent with GET, so that caches see them; mutations never are.
    public var usesGETForQueries = false
    /// Whether the hash of a document is sent first, and the text only when the server asks for it.
    ///
    /// A server that does not know hashes rejects the first request: with status 400 or 422, or with errors and no `data`.
    /// The operation is then sent with its text and without the hash. Each operation takes two requests there.
    public var persistsQueries = false
    /// How many connections of a subscription in a row may fail, or end at once without a byte.
    public var reconnectLimit = 10

    public init() {}
}
