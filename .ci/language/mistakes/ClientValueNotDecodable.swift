// Says: The type is not Decodable. Conform it, or pass a decoding.
import Foundation
import NetworkEngine

struct Plain: Sendable { var name = "Ada" }

func load(_ client: HTTPClient) async throws {
    let plain: Plain = try await client.request(.get("/plain"))
    print(plain.name)
}
