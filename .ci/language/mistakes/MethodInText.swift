// Says: declare 'var method: HTTPMethod { .get }'
import Foundation
import NetworkEngine

enum UserAPI: TargetType {
    case user(Int)

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "/users" }
    var method: String { "GET" }
    var task: NetworkTask { .requestPlain }
}
