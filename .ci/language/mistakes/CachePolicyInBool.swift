// Says: does not conform to protocol 'TargetCachePolicy'
import Foundation
import NetworkEngine

enum UserAPI: TargetType {
    case user(Int)

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "/users" }
    var method: HTTPMethod { .get }
    var task: NetworkTask { .requestPlain }
    var cachePolicy: Bool { true }
}
