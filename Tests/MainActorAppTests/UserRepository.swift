import Fixtures
import Foundation
import NetworkEngine
import NetworkEngineTesting

// The repository pattern in a module with main actor default isolation. The protocol, its errors and its values are
// `nonisolated`. The enums and the view model are the same as in any module.

nonisolated enum AppError: Error, Equatable {
    case cancelled
    case other(String)

    init(_ error: NetworkError) { self = error.kind == .cancelled ? .cancelled : .other(error.reason) }
}

nonisolated struct User: Decodable, Equatable {
    var id: Int
    var firstName: String
}

nonisolated struct UserListRequest: Encodable {
    var page = 1
}

nonisolated struct UserListResponse: Decodable {
    var users: [User]
}

nonisolated protocol UserRepository: TargetType, NetworkRequestable where Failure == AppError {
    static func fetchUsers(request: UserListRequest) -> Self
}

nonisolated extension UserRepository {
    static func failure(from error: NetworkError) -> AppError { AppError(error) }
}

enum LiveUsers: UserRepository, ProviderRequestable {
    case fetchUsers(request: UserListRequest)

    static let provider: NetworkProvider<LiveUsers> = {
        var configuration = NetworkConfiguration()
        configuration.transport = MockTransport(.json(#"{"users": [{"id": 1, "first_name": "Ann"}]}"#).repeating())
        return NetworkProvider(configuration: configuration)
    }()

    var baseURL: URL { URL(string: "http://localhost")! }
    var path: String { "/users" }
    var task: NetworkTask {
        switch self {
        case .fetchUsers(let request): .requestParameterEncodable(request)
        }
    }
    var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy { .convertFromSnakeCase }
}

enum MockUsers: UserRepository, MockRequestable {
    case fetchUsers(request: UserListRequest)

    var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy { .convertFromSnakeCase }
    var mock: MockResponder<AppError> { MockResponder(fixture: "UserListResponse", in: .bundle(Fixtures.bundle)) }
}
