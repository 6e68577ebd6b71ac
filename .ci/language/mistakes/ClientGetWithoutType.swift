// Says: The response is not decoded, because the call names no type
import Foundation
import NetworkEngine

struct User: Codable, Sendable { var name = "Ada" }

func load(_ client: HTTPClient) async throws {
    let user = try await client.request(.get("/users/7"))
    print(user.name)
}
