// Error: 'request' is unavailable: Pass an endpoint, which has a method and a path: '.get("/users")'.
import NetworkEngine

struct User: Codable, Sendable { var name = "Ada" }

func load(_ client: any HTTPClientContract) async throws {
    let user: User = try await client.request("/users/7")
    print(user.name)
}
