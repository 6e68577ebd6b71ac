package import NetworkEngine

/// A source of users. Enums conform to it, and their cases are the factories.
///
/// Screens use it as `any UserRepository.Type`, so that they work with a server and with fixtures.
package protocol UserRepository: TargetType, NetworkRequestable where Failure == DirectoryError {
    static func fetchUsers(request: UserListRequest) -> Self
    static func fetchUser(id: Int) -> Self
}

/// The query parameters of a list.
package struct UserListRequest: Encodable, Sendable {
    package var page: Int

    package init(page: Int = 1) { self.page = page }
}

extension UserRepository {
    package static func failure(from error: NetworkError) -> DirectoryError { DirectoryError(error) }
}

package struct User: Decodable, Sendable, Equatable {
    package var id: Int
    package var firstName: String
    package var lastName: String

    package init(id: Int, firstName: String, lastName: String) {
        (self.id, self.firstName, self.lastName) = (id, firstName, lastName)
    }
}

package struct UserList: Decodable, Sendable {
    package var users: [User]
}

/// The app's errors. Screens handle no other errors.
package enum DirectoryError: Error, Equatable {
    case cancelled, notFound, offline
    case unavailable(String)

    init(_ error: NetworkError) {
        switch error.kind {
        case .cancelled: self = .cancelled
        case .offline: self = .offline
        case .status where error.statusName == .notFound: self = .notFound
        default: self = .unavailable(error.reason)
        }
    }
}
