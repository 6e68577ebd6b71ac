import Foundation
import NetworkEngine
import NetworkEngineTesting

// A view model that shows the results of a repository.

nonisolated struct User: Codable, Sendable { var name = "Ada" }

nonisolated protocol UserRepository: TargetType, NetworkRequestable where Failure == NetworkError {
    static func user(_ id: Int) -> Self
}

enum LiveUsers: UserRepository, ProviderRequestable {
    case user(Int)

    static let provider = NetworkProvider<LiveUsers>()

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "/users" }
    var method: HTTPMethod { .get }
    var task: NetworkTask { .requestPlain }
}

enum MockUsers: UserRepository, MockRequestable {
    case user(Int)

    var mock: MockResponder<NetworkError> { MockResponder(fixture: "User", in: .bundle(.main)) }
}

@MainActor final class ViewModel {
    var user: User?
    private var request: (any NetworkRequest)?
    private let users: any UserRepository.Type
    private let provider = NetworkProvider<LiveUsers>()
    private let client: any HTTPClientContract
    private let queue = DispatchQueue(label: "model")

    init(users: any UserRepository.Type, client: any HTTPClientContract) {
        self.users = users
        self.client = client
    }

    func load() {
        request = users.user(7).request(type: User.self) { [weak self] result in
            self?.user = try? result.get()
        }
        LiveUsers.user(7).request(type: User.self) { result in self.user = try? result.get() }
        MockUsers.user(7).request(type: User.self) { [weak self] in self?.user = try? $0.get() }
        provider.request(.user(7), as: User.self) { [weak self] result in self?.user = try? result.get() }
        client.request(.get("/users/7"), as: User.self) { [weak self] result in self?.user = try? result.get() }
        users.user(7).request(type: User.self, onMain: { [weak self] result in self?.user = try? result.get() })
        users.user(7).request(type: User.self, callback: { result in print(result) })
        provider.request(.user(7), as: User.self, queue: queue) { result in print(result) }
    }
}

func load(_ users: any UserRepository.Type) {
    users.user(7).request(type: User.self) { result in print(result) }
}
