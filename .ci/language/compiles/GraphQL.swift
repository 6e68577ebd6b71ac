import NetworkEngine
import NetworkEngineGraphQL
import NetworkEngineGraphQLSocket
import NetworkEngineWebSocket

// Operations with used data, and operations with ignored data.

nonisolated struct User: Decodable, Sendable { var name: String }

nonisolated func show(_ user: User) {}

func execute(_ operation: GraphQLOperation, by client: any GraphQLClientContract) async throws {
    try await client.execute(operation)
    try await client.execute(operation, uploads: [])
    let done: Void = try await client.execute(operation)
    let task = Task { try await client.execute(operation) }
    try await task.value
    show(try await client.execute(operation))
    return done
}

func execute(_ operation: GraphQLOperation, by client: GraphQLClient) async throws(GraphQLError) {
    try await client.execute(operation)
    try await client.execute(operation, uploads: [])
    let user: User = try await client.execute(operation)
    let other: User = try await client.execute(operation, uploads: [])
    show(user)
    show(other)
}

func subscribe(over client: HTTPClient) async throws -> [GraphQLClient] {
    var options = GraphQLSocketOptions()
    options.payload = { ["token": "secret"] }
    options.reconnecting.closeCodes.insert(4401)
    return [
        GraphQLClient(httpClient: client, subscriptions: .events),
        GraphQLClient(httpClient: client, subscriptions: .webSocket()),
        GraphQLClient(httpClient: client, subscriptions: .webSocket(path: "/socket", options)),
    ]
}
