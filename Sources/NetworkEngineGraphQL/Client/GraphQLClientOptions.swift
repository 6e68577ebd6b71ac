/// Options for sending operations, where the specification allows alternatives.
public struct GraphQLClientOptions: Hashable, Sendable {
    /// Whether queries are sent with GET, so that caches can store the responses. Mutations are never sent with GET.
    public var usesGETForQueries = false
    /// Whether the client first sends the hash of a document, and the text only if the server requires it.
    ///
    /// A server that does not support hashes rejects the first request with status 400 or 422, or with errors and no
    /// `data`. The client then sends the text without the hash. With such a server each operation takes two requests. A
    /// query is also sent with its text if the hash returns errors and no data at all, a mutation only after GraphQL
    /// errors without `data`.
    public var persistsQueries = false
    /// The maximum number of consecutive subscription connections that fail, or end quickly without data.
    public var reconnectLimit = 10

    /// Creates options with their default values.
    public init() {}
}
