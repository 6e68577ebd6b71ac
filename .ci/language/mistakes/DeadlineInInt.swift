// Says: An integer has no unit: declare a 'Duration?', such as '.seconds(30)'
import Foundation
import NetworkEngine

enum UserAPI: TargetType {
    case user(Int)

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: EndpointPath { "/users" }
    var deadline: Int { 30 }
}
