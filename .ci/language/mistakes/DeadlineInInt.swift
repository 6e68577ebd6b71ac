// Says: An integer has no unit
import Foundation
import NetworkEngine

enum UserAPI: TargetType {
    case user(Int)

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: Path { "/users" }
    var deadline: Int { 30 }
}
