// Error: 'request(_:completion:)' is unavailable: The call names no type to decode. Write 'request(…, as: User.self) { result in … }'.
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
