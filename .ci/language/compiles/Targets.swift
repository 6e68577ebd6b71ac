import Foundation
import NetworkEngine

// Targets as users of Moya and of plain dictionaries write them.

enum MoyaTarget: TargetType {
    case user(Int)

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "/users" }
    var method: HTTPMethod { .get }
    var task: NetworkTask { .requestPlain }
    var headers: [String: String]? { ["Accept": "application/json"] }
    var timeout: TimeInterval { 30 }
    var sampleData: Data { Data() }
}

enum PlainTarget: TargetType {
    case user(Int)

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "/users" }
    var method: HTTPMethod { .get }
    var task: NetworkTask { .requestPlain }
    var headers: [String: String] { ["Accept": "application/json"] }
    var timeout: Duration { .seconds(30) }
}

nonisolated protocol AppTarget: TargetType {}

nonisolated extension AppTarget {
    var baseURL: URL { URL(fileURLWithPath: "/") }
    var headers: [String: String]? { ["Accept": "application/json"] }
}

enum InheritingTarget: AppTarget {
    case user(Int)

    var path: String { "/users" }
    var method: HTTPMethod { .get }
    var task: NetworkTask { .requestPlain }
}

nonisolated func headers<Target: TargetType>(of target: Target) -> HTTPHeaders {
    let headers = target.headers
    return headers
}

nonisolated func headers(of target: any TargetType) -> [HTTPHeaders] {
    [target.headers, AnyTarget(target).headers, AnyTarget(MoyaTarget.user(7)).headers]
}

let erased = NetworkProvider<AnyTarget>()

/// What all targets of an app have.
extension TargetType {
    nonisolated var timeout: Duration? { .seconds(30) }
    nonisolated var validation: ResponseValidation { .none }
}
