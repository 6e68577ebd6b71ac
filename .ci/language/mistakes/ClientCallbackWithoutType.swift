// Error: 'request(_:completion:)' is unavailable: The call names no type to decode. Write 'request(…, as: User.self) { result in … }'.
import Foundation
import NetworkEngine

struct User: Codable, Sendable { var name = "Ada" }

func load(_ client: HTTPClient) async throws {
    client.request(.get("/users/7")) { result in print(result) }
}
