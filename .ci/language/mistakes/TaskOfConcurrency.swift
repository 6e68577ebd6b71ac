// Says: does not conform to protocol 'TargetTask'
import Foundation
import NetworkEngine

enum UserAPI: TargetType {
    case user(Int)

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "/users" }
    var task: Task<Void, Never> { Task {} }
}
