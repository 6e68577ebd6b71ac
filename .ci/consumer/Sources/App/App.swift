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
    var path: String { if case .user(let id) = self { "/users/\(id)" } else { "" } }
    var method: HTTPMethod { .get }
    var task: NetworkTask { .requestPlain }
}

/// Takes its repository as a type, as the design describes.
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

@main
struct App {
    static func main() async throws {
        let model = ViewModel(users: LiveUsers.self)
        await model.load()
        guard model.state == "Ada" else { throw AppError(text: "not loaded: \(model.state)") }
        await model.load()
        guard model.state == "status" else { throw AppError(text: "not failed: \(model.state)") }
        print("App: a repository type was injected and called")
    }
}
