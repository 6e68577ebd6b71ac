import Fixtures
package import Foundation
package import NetworkEngine
package import NetworkEngineTesting

/// The users of a JSON file, for previews and for tests of screens. An app keeps it out of what it ships.
package enum MockUsers: UserRepository, MockRequestable {
    case fetchUsers(request: UserListRequest)
    case fetchUser(id: Int)

    /// What every call below fails with.
    @TaskLocal package static var failure: DirectoryError?
    /// How long every call below takes.
    @TaskLocal package static var delay: Duration = .zero

    package var mock: MockResponder<DirectoryError> {
        MockResponder(fixture: fixture, in: .bundle(Fixtures.bundle), delay: Self.delay, errorToThrow: Self.failure)
    }

    private var fixture: String {
        switch self {
        case .fetchUsers: "UserListResponse"
        case .fetchUser: "User"
        }
    }

    package var baseURL: URL { URL(fileURLWithPath: "/") }
    package var path: String { "" }
    package var method: HTTPMethod { .get }
    package var task: NetworkTask { .requestPlain }
    package var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy { .convertFromSnakeCase }
}
