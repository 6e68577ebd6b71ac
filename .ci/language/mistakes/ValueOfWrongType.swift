// Says: cannot convert value of type 'Data' to expected argument type 'User'
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

func show(_ user: User) {}

func load(_ provider: NetworkProvider<UserAPI>) async throws {
    let user = try await provider.request(.user(7))
    show(user)
}
