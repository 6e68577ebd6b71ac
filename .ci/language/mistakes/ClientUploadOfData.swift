// Error: cannot convert value of type 'Data' to expected argument type 'URL'
import Foundation
import NetworkEngine

struct User: Codable, Sendable { var name = "Ada" }

func load(_ client: HTTPClient) async throws {
    try await client.upload(.post("/photo").file(Data()))
}
