// Says: 'none' has been renamed to 'anonymous'
import Foundation
import NetworkEngine

enum UserAPI: TargetType {
    case user(Int)

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: EndpointPath { "/users" }
    var authorization: AuthorizationRequirement { .none }
}
