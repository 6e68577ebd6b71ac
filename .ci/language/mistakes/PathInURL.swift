// Says: does not conform to protocol 'TargetPath'
import Foundation
import NetworkEngine

enum UserAPI: TargetType {
    case user(Int)

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: URL { URL(fileURLWithPath: "/") }
}
