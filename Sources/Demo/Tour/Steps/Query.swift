import NetworkEngine
import NetworkEngineGraphQL

extension Step {
    static let query = Step("graphql", "Sends a GraphQL query, and one that fails in part.") { stage in
        let (configuration, service) = (stage.configuration, stage.service)
        // sample
        let client = HTTPClient(baseURL: service.url, configuration: configuration)
        let graph = GraphQLClient(httpClient: client)
        var operation = GraphQLOperation(
            document: """
                query Team($id: ID!) { team(id: $id) { name members { name } } }
                """,
            variables: ["id": 7])
        let data: TeamData = try await graph.execute(operation)
        operation.variables = ["id": 8]
        let other: GraphQLResponse<TeamData> = try await graph.response(
            to: operation)
        // end
        let names = (data.team.members ?? []).map(\.name).joined(separator: ", ")
        guard let partial = other.data, let error = other.errors?.first else {
            throw TourFailure("The second response has no partial data.")
        }
        return [
            "Team \(data.team.name): \(names).",
            "Team \(partial.team.name): \"\(error.message)\"",
        ]
    }
}
