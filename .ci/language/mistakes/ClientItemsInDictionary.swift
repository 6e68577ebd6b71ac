// Error: cannot convert value of type '[String : String]' to expected argument type '[URLQueryItem]'
import Foundation
import NetworkEngine

struct User: Codable, Sendable { var name = "Ada" }

func load(_ client: HTTPClient) async throws {
    let users: [User] = try await client.request(.get("/users", queryItems: ["page": "2"]))
    print(users.count)
}
