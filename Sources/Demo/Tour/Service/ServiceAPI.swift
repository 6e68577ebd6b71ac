import Foundation
import NetworkEngine
import UserDirectory

/// The service's targets.
enum ServiceAPI: TargetType {
    case signIn(user: String, password: String)
    case refresh(String?)
    case me, order(Int)
    case users, user(Int)
    case flaky
    case avatar([MultipartFormData])
    case report, builds, game, article, price

    var baseURL: URL { URL(string: "https://api.example.com")! }

    var path: EndpointPath {
        switch self {
        case .signIn: "/login"
        case .refresh: "/token"
        case .me: "/me"
        case .order(let id): "/orders/\(id)"
        case .users: "/users"
        case .user(let id): "/users/\(id)"
        case .flaky: "/flaky"
        case .avatar: "/avatar"
        case .report: "/report"
        case .builds: "/builds"
        case .game: "/game"
        case .article: "/article"
        case .price: "/price"
        }
    }

    var method: HTTPMethod {
        switch self {
        case .signIn, .refresh, .avatar: .post
        default: .get
        }
    }

    var task: NetworkTask {
        switch self {
        case .signIn(let user, let password): .requestJSONEncodable(["user": user, "password": password])
        case .refresh(let token): .requestJSONEncodable(["refresh_token": token])
        case .avatar(let parts): .uploadMultipart(parts)
        case .report: .downloadDestination(.temporary)
        default: .requestPlain
        }
    }

    var authorization: AuthorizationRequirement {
        switch self {
        case .me, .order: .required
        default: .anonymous
        }
    }

    var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy { .convertFromSnakeCase }
}

struct Login: Codable, Sendable {
    var accessToken: String
    var refreshToken: String
}

struct Order: Codable, Sendable {
    var id: Int
}

struct UserPage: Decodable, Sendable {
    var users: [User]
    /// The next page's cursor; `nil` on the last page.
    var next: Int?
}

struct Receipt: Codable, Sendable {
    var bytes: Int
}

struct Build: Codable, Sendable {
    var state: String
}

struct Team: Codable, Sendable {
    struct Member: Codable, Sendable {
        var name: String
    }

    var name: String
    var members: [Member]?
}

struct TeamData: Codable, Sendable {
    var team: Team
}
