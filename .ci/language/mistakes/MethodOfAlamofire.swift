// Says: does not conform to protocol 'TargetMethod'
import Foundation
import NetworkEngine

struct OtherMethod { static let get = OtherMethod() }

enum UserAPI: TargetType {
    case user(Int)

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "/users" }
    var method: OtherMethod { .get }
}
