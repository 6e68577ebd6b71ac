// Error: value of type 'HTTPClient' has no member 'get'
import Foundation
import NetworkEngine

struct User: Codable, Sendable { var name = "Ada" }

func load(_ client: HTTPClient) async throws {
    let user: User = try await client.get("/users/7")
    print(user.name)
}
