// Error: cannot convert value of type 'Int' to expected dictionary value type 'String'
import Foundation
import NetworkEngine

struct User: Codable, Sendable { var name = "Ada" }

func load(_ client: HTTPClient) async throws {
    try await client.send(.get("/users", headers: ["X-Page": 1]))
}
