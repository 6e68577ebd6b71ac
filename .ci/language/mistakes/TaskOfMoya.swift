// Says: does not conform to protocol 'TargetTask'
import Foundation
import NetworkEngine

enum OtherTask { case requestPlain }

enum UserAPI: TargetType {
    case user(Int)

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "/users" }
    var task: OtherTask { .requestPlain }
}
