// Says: value of type 'Data' has no member 'name'
import Foundation
import NetworkEngine

struct User: Codable, Sendable { var name = "Ada" }

func load(_ client: HTTPClient) async throws {
    let user = try await client.upload(.post("/users").multipart([.text("Ada", name: "name")]))
    print(user.name)
}
