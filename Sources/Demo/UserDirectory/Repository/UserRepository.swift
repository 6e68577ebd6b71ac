package import NetworkEngine

/// Where users come from: enums conform, and their cases are the factories.
///
/// Screens take it as `any UserRepository.Type`, so that they cannot tell a server from a fixture.
package protocol UserRepository: TargetType, NetworkRequestable where Failure == DirectoryError {
    static func fetchUsers(request: UserListRequest) -> Self
    static func fetchUser(id: Int) -> Self
}

/// What a list is asked for with; it goes to the query.
package struct UserListRequest: Encodable, Sendable {
    package var page: Int

    package init(page: Int = 1) { self.page = page }
}

extension UserRepository {
    package static func failure(from error: NetworkError) -> DirectoryError { DirectoryError(error) }
}
