import Fixtures
package import Foundation
import NetworkEngine
package import NetworkEngineMocks

/// The users in a JSON file, for previews and tests of screens. Exclude it from release builds.
package enum MockUsers: UserRepository, MockRequestable {
    case fetchUsers(request: UserListRequest)
    case fetchUser(id: Int)

    /// The error that every call in the task throws.
    @TaskLocal package static var failure: DirectoryError?
    /// The duration of every call in the task.
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

    package var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy { .convertFromSnakeCase }
}
