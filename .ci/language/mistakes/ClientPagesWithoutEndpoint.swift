// Error: missing argument for parameter 'by' in call
import Foundation
import NetworkEngine
import NetworkEngineStreams

struct User: Codable, Sendable { var name = "Ada" }

func load(_ client: HTTPClient) async throws {
    for try await users in client.pages(of: [User].self, from: .get("/users")) { print(users.count) }
}
