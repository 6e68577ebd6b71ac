import Fixtures
import Foundation
import NetworkEngine
import NetworkEngineTesting

/// The mock recipe: a second enum with the same factories, answered from fixtures.
enum MockUsers: UserRepository, MockRequestable {
    case fetchUsers(request: UserListRequest)
    case fetchUser(id: Int)

    var baseURL: URL { API.base }
    var path: String { "" }
    var method: HTTPMethod { .get }
    var task: NetworkTask { .requestPlain }
    var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy { .convertFromSnakeCase }

    var mock: MockResponder<AppError> {
        switch self {
        case .fetchUsers: MockResponder(fixture: "UserListResponse", in: .bundle(Fixtures.bundle))
        case .fetchUser: MockResponder(fixture: "User", in: .bundle(Fixtures.bundle), errorToThrow: .notFound)
        }
    }
}
