// Error: generic parameter 'Value' could not be inferred
import Foundation
import NetworkEngine

struct User: Codable, Sendable { var name = "Ada" }

func load(_ client: HTTPClient) async throws {
    let handle = client.start(.get("/users/7"))
    print(try await handle.value)
}
