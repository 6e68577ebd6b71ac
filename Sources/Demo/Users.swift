import Foundation
import NetworkEngine

/// What the demo calls; the server's address comes with the value, because its port is known only when it runs.
struct Users: TargetType {
    enum Call {
        case list(page: Int)
        case user(Int)
    }

    let baseURL: URL
    let call: Call

    var path: String {
        switch call {
        case .list: "/users"
        case .user(let id): "/users/\(id)"
        }
    }

    var method: HTTPMethod { .get }

    var task: NetworkTask {
        switch call {
        case .list(let page): .requestParameters(parameters: ["page": page], encoding: .query)
        case .user: .requestPlain
        }
    }

    var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy { .convertFromSnakeCase }
}

struct UserList: Decodable, Sendable {
    var total: Int
    var users: [User]
}

struct User: Decodable, Sendable {
    var id: Int
    var firstName: String
    var lastName: String
}
