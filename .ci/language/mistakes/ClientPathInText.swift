// Error: 'request' is unavailable: Pass an endpoint, which has a method and a path: '.get("/users")'.
import Foundation
import NetworkEngine

struct User: Codable, Sendable { var name = "Ada" }

func load(_ client: HTTPClient) async throws {
    let user: User = try await client.request("/users/7")
    print(user.name)
}
