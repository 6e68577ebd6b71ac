import Fixtures
import Foundation
import NetworkEngine
import NetworkEngineTesting

/// Starts a server in this process, calls a list, one item and an item that does not exist, and prints what came back.
@main
struct Demo {
    static func main() async throws {
        let server = try LoopbackServer(handler: try answers())
        defer { server.stop() }
        let provider = NetworkProvider<Users>()
        print("A server runs at \(server.url)\n")

        let list: UserList = try await provider.request(Users(baseURL: server.url, call: .list(page: 1)))
        print("GET /users?page=1 → \(list.users.count) of \(list.total) users:")
        for user in list.users { print("  \(user.id)  \(user.firstName) \(user.lastName)") }

        let user: User = try await provider.request(Users(baseURL: server.url, call: .user(7)))
        print("\nGET /users/7 → \(user.firstName) \(user.lastName)")

        do {
            let nobody: User = try await provider.request(Users(baseURL: server.url, call: .user(11)))
            print("\nGET /users/11 → \(nobody.firstName)?")
        } catch {
            print("\nGET /users/11 → \(error)")
            print(
                "  the body that came with it: \(error.response.map { String(decoding: $0.data, as: UTF8.self) } ?? "none")"
            )
        }
    }

    /// The three answers that the server knows.
    private static func answers() throws -> @Sendable (LoopbackRequest) -> LoopbackResponse {
        let list = try Fixtures.data("UserListResponse")
        let user = try Fixtures.data("User")
        let missing = try Fixtures.data("ErrorNotFound")
        return { request in
            switch request.path {
            case "/users": .data(list, type: "application/json")
            case "/users/7": .data(user, type: "application/json")
            default: .data(missing, type: "application/json", status: 404)
            }
        }
    }
}
