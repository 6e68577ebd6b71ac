package import Foundation
package import NetworkEngine

/// The users on the server.
package enum LiveUsers: UserRepository, ProviderRequestable {
    case fetchUsers(request: UserListRequest)
    case fetchUser(id: Int)

    /// The users' provider. A test or a staging build binds another one for its tasks.
    @TaskLocal package static var provider = NetworkProvider<LiveUsers>(interceptors: .recommended())

    package var baseURL: URL { URL(string: "https://api.example.com")! }

    package var path: EndpointPath {
        switch self {
        case .fetchUsers: "/users"
        case .fetchUser(let id): "/users/\(id)"
        }
    }

    package var task: NetworkTask {
        switch self {
        case .fetchUsers(let request): .requestParameterEncodable(request)
        case .fetchUser: .requestPlain
        }
    }

    package var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy { .convertFromSnakeCase }
}
