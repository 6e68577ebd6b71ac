// Error: 'subscript(dynamicMember:)' is unavailable: The response is not decoded, because the call names no type. Write 'let user: User = …'.
import Foundation
import NetworkEngine

struct User: Codable, Sendable { var name = "Ada" }

func load(_ client: HTTPClient) async throws {
    let user = try await client.upload(.post("/users"), multipart: [.text("Ada", name: "name")])
    print(user.name)
}
