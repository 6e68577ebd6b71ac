import Foundation
import NetworkEngine
import NetworkEngineGraphQL
import NetworkEngineMocks

// Mocks as in an app's previews and tests.

nonisolated struct Person: Codable, Sendable { var name: String }
nonisolated struct Page: Decodable, Sendable { var me: Person }

@MainActor final class PeopleModel {
    private(set) var names: [String] = []
    private let client: any HTTPClientContract
    private let graph: any GraphQLClientContract

    init(client: any HTTPClientContract, graph: any GraphQLClientContract) {
        (self.client, self.graph) = (client, graph)
    }

    func load() async throws {
        let people: [Person] = try await client.request(.get("/people"))
        let page: Page = try await graph.execute(GraphQLOperation(document: "{ me { name } }"))
        names = people.map(\.name) + [page.me.name]
    }

    static var preview: PeopleModel {
        PeopleModel(
            client: HTTPClientMock(.fixture("People", in: .bundle(.main)), otherwise: .empty),
            graph: GraphQLClientMock(otherwise: .data(#"{"me": {"name": "Ada"}}"#).delayed(by: .seconds(1))))
    }
}

func clients(data: Data) -> [HTTPClientMock] {
    [
        HTTPClientMock(),
        HTTPClientMock(.value([Person(name: "Ada")]), .value(data), .status(404), .text("hello")),
        HTTPClientMock(.json([Person(name: "Ada")]), .json("[]", status: 201, headers: ["ETag": "x"])),
        HTTPClientMock(.failure(.dns), .failure(NetworkError(kind: .offline)), .failure(.offline, reason: "flight")),
        HTTPClientMock(.response(.redirect(to: "/b").header("Age", "1")), otherwise: .hang),
        HTTPClientMock(.data(data, type: "image/png").delayed(by: .milliseconds(5)), clock: ContinuousClock()),
        HTTPClientMock(otherwise: .empty, decoder: JSONDecoder()),
    ]
}

func answers(_ fields: [String: String]) -> [MockAnswer] {
    [
        .status(200, headers: fields), .text("hello", headers: fields), .json("[]", headers: [:]),
        .json([Person(name: "Ada")], headers: fields), .text("hello", headers: ["Link": "a", "Link": "b"]),
        .redirect(to: "/b", headers: fields), .fixture("People", in: .bundle(.main), headers: fields),
    ]
}

func clients(_ fields: [String: String]) -> HTTPClientMock {
    HTTPClientMock(.status(404, headers: fields), .text("hello", headers: fields), .data(Data(), headers: fields))
}

func graphs(data: Data) -> [GraphQLClientMock] {
    let refusal = GraphQLResponseError(message: "no", extensions: ["code": "DENIED"])
    return [
        GraphQLClientMock(.value(Person(name: "Ada")), .data(data), .data(fixture: "Me", in: .bundle(.main))),
        GraphQLClientMock(.errors(refusal), .errors(refusal, refusal, data: "{}"), otherwise: .empty),
        GraphQLClientMock(.failure(GraphQLError(kind: .invalidResponse)), .failure(NetworkError(kind: .offline))),
        GraphQLClientMock(.failure(.tls), .response(.json("{}")), .hang, decoder: JSONDecoder()),
    ]
}
