// Says: protocol requires property 'headers' with type 'HTTPHeaders'
import Foundation
import NetworkEngine

extension TargetType {
    var headers: [String: String]? { ["Accept": "application/json"] }
}

enum UserAPI: TargetType {
    case user(Int)

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "/users" }
    var method: HTTPMethod { .get }
    var task: NetworkTask { .requestPlain }
}
