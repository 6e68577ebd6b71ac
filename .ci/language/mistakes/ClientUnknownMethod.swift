// Says: type 'Endpoint' has no member 'pst'
import Foundation
import NetworkEngine

func load(_ client: HTTPClient) async throws {
    let data = try await client.request(.pst("/users"))
    print(data)
}
