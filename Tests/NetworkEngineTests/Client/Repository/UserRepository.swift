import Fixtures
import Foundation
import TestSupport

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// An app's errors, without networking details.
enum AppError: Error, Equatable {
    case cancelled, notFound, offline
    case other(String)

    init(_ error: NetworkError) {
        switch error.kind {
        case .cancelled: self = .cancelled
        case .offline: self = .offline
        case .status where error.statusName == .notFound: self = .notFound
        default: self = .other(error.reason)
        }
    }
}

struct User: Codable, Sendable, Equatable {
    var id: Int
    var firstName: String
}

struct UserListRequest: Encodable, Sendable {
    var page = 1
}

struct UserListResponse: Decodable, Sendable {
    var users: [User]
}

/// An app's repository protocol. Enums conform, and their cases are the factories.
protocol UserRepository: TargetType, NetworkRequestable where Failure == AppError {
    static func fetchUsers(request: UserListRequest) -> Self
    static func fetchUser(id: Int) -> Self
}

extension UserRepository {
    static func failure(from error: NetworkError) -> AppError { AppError(error) }
}

enum LiveUsers: UserRepository, ProviderRequestable {
    case fetchUsers(request: UserListRequest)
    case fetchUser(id: Int)

    static let provider = NetworkProvider<LiveUsers>(UserServer())

    var baseURL: URL { API.base }
    var path: String {
        switch self {
        case .fetchUsers: "/users"
        case .fetchUser(let id): "/users/\(id)"
        }
    }
    var task: NetworkTask {
        switch self {
        case .fetchUsers(let request): .requestParameterEncodable(request)
        case .fetchUser: .requestPlain
        }
    }
    var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy { .convertFromSnakeCase }
}

/// The mock repository: an enum with the same factories that returns fixtures.
enum MockUsers: UserRepository, MockRequestable {
    case fetchUsers(request: UserListRequest)
    case fetchUser(id: Int)

    var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy { .convertFromSnakeCase }

    var mock: MockResponder<AppError> {
        switch self {
        case .fetchUsers: MockResponder(fixture: "UserListResponse", in: .bundle(Fixtures.bundle))
        case .fetchUser: MockResponder(fixture: "User", in: .bundle(Fixtures.bundle), errorToThrow: .notFound)
        }
    }
}

/// A server with two users. It never responds to a request for user 0.
private struct UserServer: Transport {
    func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
        switch request.url.path {
        case "/v1/users":
            let page = request.url.query ?? ""
            return .sample(#"{"users": [{"id": 1, "first_name": "\#(page)"}, {"id": 2, "first_name": "Bob"}]}"#)
        case "/v1/users/1": return .sample(#"{"id": 1, "first_name": "Ann"}"#)
        case "/v1/users/0":
            try await Task.sleep(for: .seconds(3600))
            throw CancellationError()
        default: return .sample("", status: 404)
        }
    }
}
