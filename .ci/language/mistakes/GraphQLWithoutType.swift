// Says: The answer is not decoded, because no type is given
import NetworkEngine
import NetworkEngineGraphQL

func load(_ client: GraphQLClient) async throws {
    let user = try await client.execute(GraphQLOperation(document: "{ name }"))
    print(user.name)
}
