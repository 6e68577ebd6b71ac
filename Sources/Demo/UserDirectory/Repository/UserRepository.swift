package import NetworkEngine

/// A source of users. Enums conform, and their cases are the factories.
///
/// Screens take it as `any UserRepository.Type`, so that they work with a server and with fixtures.
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
