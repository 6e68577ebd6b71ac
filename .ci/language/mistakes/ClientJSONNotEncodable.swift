// Error: instance method 'json(_:encoder:)' requires that 'Plain' conform to 'Encodable'
import Foundation
import NetworkEngine

struct Plain: Sendable { var name = "Ada" }

func load(_ client: HTTPClient) async throws {
    try await client.send(.post("/plain").json(Plain()))
}
