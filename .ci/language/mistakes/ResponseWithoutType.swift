// Says: generic parameter 'Value' could not be inferred
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

func load(_ provider: NetworkProvider<UserAPI>) async throws {
    let response = try await provider.response(.user(7))
    print(response.value)
}
