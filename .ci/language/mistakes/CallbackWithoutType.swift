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

func load(_ provider: NetworkProvider<UserAPI>) {
    provider.request(.user(7)) { result in print(result) }
}
