import Foundation
import NetworkEngine
import NetworkEngineTesting

struct AppError: Error {
    let text: String
}

struct User: Decodable, Sendable, Equatable {
    var id: Int
    var name: String
}

protocol UserRepository: TargetType, NetworkRequestable where Failure == AppError {
    static func user(id: Int) -> Self
}

enum LiveUsers: UserRepository, ProviderRequestable {
    case user(id: Int)

    static let mock = MockTransport(.json(#"{"id": 7, "name": "Ada"}"#), .status(404))
    static let provider = {
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        return NetworkProvider<LiveUsers>(configuration: configuration)
    }()

    static func failure(from error: NetworkError) -> AppError { AppError(text: error.kind.rawValue) }

    var baseURL: URL { URL(string: "https://api.example.com") ?? URL(fileURLWithPath: "/") }
    var path: EndpointPath { if case .user(let id) = self { "/users/\(id)" } else { "" } }
    var method: HTTPMethod { .get }
    var task: NetworkTask { .requestPlain }
}

/// Takes its repository as a generic type, as the design describes.
final class ViewModel {
    private let users: any UserRepository.Type
    private(set) var state = ""

    init(users: any UserRepository.Type) { self.users = users }

    func load() async {
        do {
            state = try await users.user(id: 7).request(type: User.self).name
        } catch {
            state = error.text
        }
    }
}

/// Spells out the type of `next`, which depends on the module's language features.
struct Stopwatch: RequestInterceptor {
    let calls: Counter

    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        await calls.count()
        return try await next(request)
    }
}

/// Holds a lock during each refresh.
actor SharedStore: CredentialStore {
    private var stored: BearerToken? = BearerToken("old")
    private(set) var locks = 0

    func load() -> BearerToken? { stored }

    func save(_ new: BearerToken?, replacing old: BearerToken?) -> Bool {
        stored = new
        return true
    }

    func exclusively<Result: Sendable>(_ work: @Sendable () async -> Result) async throws -> Result {
        locks += 1
        return await work()
    }
}

actor Counter {
    private(set) var value = 0

    func count() { value += 1 }
}

@main
struct App {
    static func main() async throws {
        let model = ViewModel(users: LiveUsers.self)
        await model.load()
        guard model.state == "Ada" else { throw AppError(text: "not loaded: \(model.state)") }
        await model.load()
        guard model.state == "status" else { throw AppError(text: "not failed: \(model.state)") }
        print("App: a repository type was injected and called")
        try await callHooks()
        print("App: hooks with written out types were called")
    }

    static func callHooks() async throws {
        let (calls, store) = (Counter(), SharedStore())
        let refresher = TokenRefresher(store: store) { _, _ in BearerToken("new") }
        var configuration = NetworkConfiguration()
        configuration.transport = MockTransport(.status(401), .json(#"{"id": 7, "name": "Ada"}"#))
        let provider = NetworkProvider<LiveUsers>(
            interceptors: [Stopwatch(calls: calls), refresher], configuration: configuration)
        try await provider.request(.user(id: 7))
        let (called, locked) = await (calls.value, store.locks)
        guard called == 2, locked == 1 else { throw AppError(text: "hooks: \(called) calls, \(locked) locks") }
    }
}
