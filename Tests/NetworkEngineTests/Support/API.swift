import Foundation
import NetworkEngine

/// A target for tests.
enum API: TargetType, Equatable {
    case plain
    case post
    case at(String)

    static let base = URL(string: "http://api.test/v1")!

    var baseURL: URL { Self.base }
    var path: String { if case .at(let path) = self { path } else { "/things" } }
    var method: HTTPMethod { self == .post ? .post : .get }
    var task: NetworkTask { self == .post ? .requestData(Data("body".utf8)) : .requestPlain }
}
