// Says: The response is not decoded, because the call names no type
import NetworkEngine
import NetworkEngineGraphQL

func load(_ client: GraphQLClient) async throws {
    let user = try await client.execute(GraphQLOperation(document: "{ name }"))
    print(user.name)
}
