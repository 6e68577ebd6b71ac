package import Foundation
package import NetworkEngine

/// A target for tests.
package enum API: TargetType, Equatable {
    case plain
    case post
    case at(String)

    package static let base = URL(string: "http://api.test/v1")!

    package var baseURL: URL { Self.base }
    package var path: String { if case .at(let path) = self { path } else { "/things" } }
    package var method: HTTPMethod { self == .post ? .post : .get }
    package var task: NetworkTask { self == .post ? .requestData(Data("body".utf8)) : .requestPlain }
}
