// Says: value of tuple type '()' has no member 'name'
import NetworkEngine
import NetworkEngineGraphQL

func load(_ client: GraphQLClient) async throws {
    let user = try await client.execute(GraphQLOperation(document: "{ name }"))
    print(user.name)
}
