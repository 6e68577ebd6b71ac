// Says: value of type 'Data' has no member 'name'
import Foundation
import NetworkEngine

struct User: Codable, Sendable { var name = "Ada" }

enum UserAPI: TargetType {
    case user(Int)

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "/users" }
    var method: HTTPMethod { .get }
    var task: NetworkTask { .requestPlain }
}

func load(_ client: HTTPClient) async throws {
    let user = try await client.request(.post("/users").json(User()))
    print(user.name)
}
