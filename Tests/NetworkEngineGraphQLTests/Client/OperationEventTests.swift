import Foundation
import NetworkEngineGraphQL
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct OperationEventTests {
    private struct Me: Codable, Sendable { var name: String }

    @Test func `observers get the name of an operation, also from its document`() async throws {
        let log = EventLog()
        var configuration = NetworkConfiguration()
        configuration.transport = MockTransport(.json(#"{"data": {"name": "Ada"}}"#).repeating())
        configuration.observers = [log]
        let url = try #require(URL(string: "http://api.test"))
        let client = GraphQLClient(httpClient: HTTPClient(baseURL: url, configuration: configuration))
        let documents = ["query Me { name }", "{ name }", "query A { name } query B { name }"]
        for document in documents {
            let _: Me = try await client.execute(GraphQLOperation(document: document))
        }
        let _: Me = try await client.execute(GraphQLOperation(document: documents[2], operationName: "B"))
        let names = log.events.compactMap { event -> String?? in
            if case .callStarted(let start) = event.kind { start.operationName } else { nil }
        }
        #expect(names == ["Me", nil, nil, "B"])
        #expect(log.faults == [] && log.outcomes == [nil, nil, nil, nil])
    }
}
