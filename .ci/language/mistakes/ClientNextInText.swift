// Error: cannot convert value of type '@Sendable (NetworkResponse<[User]>) -> String?' to expected argument type '@Sendable (NetworkResponse<[User]>) -> Endpoint?'
import Foundation
import NetworkEngine
import NetworkEngineStreams

struct User: Codable, Sendable { var name = "Ada" }

func load(_ client: HTTPClient) async throws {
    for try await users in client.pages(of: [User].self, from: .get("/users"), next: { $0.headers["X-Next"] }) {
        print(users.count)
    }
}
