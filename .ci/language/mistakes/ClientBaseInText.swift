// Error: cannot convert value of type 'String' to expected argument type 'URL'
import Foundation
import NetworkEngine

struct User: Codable, Sendable { var name = "Ada" }

func load(_ client: HTTPClient) async throws {
    let client = HTTPClient(baseURL: "https://api.example.com")
    try await client.send(.get("/users"))
}
