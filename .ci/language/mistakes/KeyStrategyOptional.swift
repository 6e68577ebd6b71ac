// Says: does not conform to protocol 'TargetKeyDecodingStrategy'
import Foundation
import NetworkEngine

enum UserAPI: TargetType {
    case user(Int)

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "/users" }
    var method: HTTPMethod { .get }
    var task: NetworkTask { .requestPlain }
    var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy? { .convertFromSnakeCase }
}
