// Error: call can throw but is not marked with 'try'
import Foundation
import NetworkEngine

struct User: Codable, Sendable { var name = "Ada" }

func load(_ client: HTTPClient) async throws {
    let user: User = await client.request(.get("/users/7"))
    print(user.name)
}
