// Says: type 'UserAPI' has no member 'usr'
import Foundation
import NetworkEngine

struct User: Codable, Sendable { var name = "Ada" }

enum UserAPI: TargetType {
    case user(Int)

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "/users" }
}

func load(_ provider: NetworkProvider<UserAPI>) async throws {
    let user: User = try await provider.request(.usr(7))
    print(user)
}
