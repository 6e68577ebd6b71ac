// Error: 'get(_:timeout:)' is unavailable: Add the limit to the endpoint: '.get(path).timeout(.seconds(5))'.
import Foundation
import NetworkEngine

struct User: Codable, Sendable { var name = "Ada" }

func load(_ client: HTTPClient) async throws {
    try await client.send(.get("/users", timeout: 30))
}
