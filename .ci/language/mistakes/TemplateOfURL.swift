// Says: does not conform to protocol 'TargetTemplate'
import Foundation
import NetworkEngine

enum UserAPI: TargetType {
    case user(Int)

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "/users" }
    var template: URL { baseURL }
}
