// Error: cannot convert value of type 'User' to expected argument type 'Data'
import Foundation
import NetworkEngine

struct User: Codable, Sendable { var name = "Ada" }

func load(_ client: HTTPClient) async throws {
    let user: User = try await client.request(.post("/users", body: User()))
    print(user.name)
}
