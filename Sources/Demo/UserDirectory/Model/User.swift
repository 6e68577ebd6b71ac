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
