import Foundation
import NetworkEngine
import NetworkEngineMocks

private nonisolated let base = URL(fileURLWithPath: "/")

private nonisolated struct User: Decodable, Sendable { let id: Int }

nonisolated struct Draft: Encodable, Sendable { var name = "" }

private func signIn() {}

// sample
enum UserAPI: TargetType {
    case list(page: Int)
    case user(Int)
    case create(Draft)

    var baseURL: URL { base }
    var path: EndpointPath {
        switch self {
        case .list, .create: "/users"
        case .user(let id): "/users/\(id)"
        }
    }
    var method: HTTPMethod {
        switch self {
        case .list, .user: .get
        case .create: .post
        }
    }
    var task: NetworkTask {
        switch self {
        case .list(let page): .requestParameters(parameters: ["page": page], encoding: .query)
        case .user: .requestPlain
        case .create(let draft): .requestJSONEncodable(draft)
        }
    }
}
// end

private func calls(_ refresher: any RequestInterceptor, _ draft: Draft) async throws {
    // sample
    let provider = NetworkProvider<UserAPI>(interceptors: .recommended(credential: refresher))
    let user: User = try await provider.request(.user(7))
    let data = try await provider.request(.list(page: 1))
    // end
    // sample
    let client = HTTPClient(baseURL: base, interceptors: .recommended(credential: refresher))
    let found: [User] = try await client.request(.get("/users", query: ["name": "Ada", "page": 2]))
    let made: User = try await client.request(.post("/users").json(draft).timeout(.seconds(10)))
    // end
    print(user, data, found, made)
}

private func user(_ id: Int, by provider: NetworkProvider<UserAPI>) async throws(NetworkError) -> User? {
    // sample
    do throws(NetworkError) {
        return try await provider.request(.user(id))
    } catch {
        if error.endsSession { signIn() }
        if error.statusName == .notFound { return nil }
        throw error
    }
    // end
}

private func test() -> NetworkProvider<UserAPI> {
    // sample
    var configuration = NetworkConfiguration()
    configuration.transport = MockTransport(.json(#"{"id": 7, "name": "Ada"}"#))
    let mocked = NetworkProvider<UserAPI>(configuration: configuration)
    // end
    return mocked
}
