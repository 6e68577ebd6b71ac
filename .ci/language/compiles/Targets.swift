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

enum ShortTarget: TargetType {
    case user(Int)

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "/users" }
}

// An app's own method type, which shadows the framework's.
nonisolated enum AppMethod: String, TargetMethod {
    case get = "GET"

    static func method(declared: AppMethod) -> HTTPMethod { HTTPMethod(rawValue: declared.rawValue) }
}

enum ConvertedTarget: TargetType {
    case user(Int)

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "/users" }
    var method: AppMethod { .get }
}

// Headers in a dictionary, and as literals.
nonisolated func dictionaries(_ base: URL, _ fields: [String: String], _ none: [String: String]?) -> [HTTPHeaders] {
    let request = HTTPRequest(url: base, headers: fields)
    let target = AnyTarget(baseURL: base, path: "/users", headers: none)
    let literals = HTTPRequest(method: .post, url: base, headers: ["A": "1"], timeout: .seconds(1))
    return [
        request.headers, target.headers, literals.headers, HTTPRequest(url: base, headers: [:]).headers,
        HTTPResponse(statusCode: 200, headers: fields, request: request).headers,
        HTTPResponse(statusCode: 200, headers: ["A": fields["A"] ?? ""], request: request).headers,
    ]
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

/// The defaults for all of an app's targets.
extension TargetType {
    nonisolated var timeout: Duration? { .seconds(30) }
    nonisolated var validation: ResponseValidation { .anyResponse }
}
