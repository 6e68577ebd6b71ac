// Error: 'send' is unavailable: Pass an endpoint, which has a method and a path: '.delete("/users/7")'.
import NetworkEngine

func delete(_ client: HTTPClient) async throws {
    try await client.send("/users/7")
}
