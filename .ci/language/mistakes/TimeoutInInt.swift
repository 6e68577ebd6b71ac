// Says: An integer has no unit: declare a 'Duration?', such as '.seconds(30)'
import Foundation
import NetworkEngine

enum UserAPI: TargetType {
    case user(Int)

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "/users" }
    var method: HTTPMethod { .get }
    var task: NetworkTask { .requestPlain }
    var timeout: Int { 30 }
}
