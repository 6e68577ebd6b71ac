import Foundation
import NetworkEngine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// A client over a session, `URLRequest`s, and custom mocks.

nonisolated struct User: Codable, Sendable { var name = "Ada" }
nonisolated enum AppError: Error { case offline }

enum UserAPI: TargetType {
    case list

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "/users" }
}

nonisolated func clients(api: URL, session: URLSession, decoder: JSONDecoder) -> [HTTPClient] {
    [
        HTTPClient(baseURL: api, session: session, decoder: decoder),
        HTTPClient(baseURL: api, session: .shared, decoder: JSONDecoder()),
        HTTPClient(baseURL: api, session: session),
        HTTPClient(baseURL: api, session: session, decoder: decoder, interceptors: [RetryPolicy()]),
        HTTPClient(baseURL: api),
    ]
}

func requests(by provider: NetworkProvider<UserAPI>, _ client: HTTPClient, _ urlRequest: URLRequest) async throws {
    let users: [User] = try await provider.request(urlRequest)
    let data = try await provider.request(urlRequest)
    let named: Data = try await provider.request(urlRequest)
    let nobody: User? = try await provider.request(urlRequest)
    try await provider.request(urlRequest)
    try await provider.send(urlRequest)
    let others: [User] = try await client.request(urlRequest)
    let bytes = try await client.request(urlRequest)
    try await client.request(urlRequest)
    print(users, data.count, named.count, nobody as Any, others, bytes.count)
}

nonisolated final class NoRequest: NetworkRequest {
    let isCancelled = false
    func cancel() {}
}

nonisolated protocol UserRepository: NetworkRequestable where Failure == AppError {
    static func user(_ id: Int) -> Self
}

nonisolated enum MockUsers: UserRepository {
    case user(Int)

    func request<T: Decodable & Sendable>(
        type: T.Type, callback: @escaping @Sendable (Result<T, AppError>) -> Void
    ) -> any NetworkRequest {
        callback(.failure(.offline))
        return NoRequest()
    }
}

nonisolated struct PlainMock: NetworkRequestable {
    @discardableResult
    func request<T: Decodable>(
        type: T.Type, callback: @escaping @Sendable (Result<T, NetworkError>) -> Void
    ) -> any NetworkRequest {
        callback(.failure(NetworkError(kind: .offline)))
        return NoRequest()
    }
}

enum LiveUsers: TargetType, ProviderRequestable {
    case user(Int)

    static let provider = NetworkProvider<LiveUsers>()

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "/users" }
}

@MainActor final class Model {
    var user: User?

    func load(_ users: any UserRepository.Type) async {
        let queue = DispatchQueue(label: "model")
        users.user(7).request(type: User.self, queue: queue) { result in print(result) }
        users.user(7).request(type: User.self, queue: .main) { result in print(result) }
        users.user(7).request(type: User.self) { [weak self] result in self?.user = try? result.get() }
        users.user(7).request(type: User.self, callback: { result in print(result) })
        do throws(AppError) {
            user = try await users.user(7).request(type: User.self)
        } catch {
            switch error {
            case .offline: break
            }
        }
        MockUsers.user(7).request(type: User.self, queue: queue) { result in print(result) }
        PlainMock().request(type: User.self, queue: queue) { result in print(result) }
        LiveUsers.user(7).request(type: User.self, queue: queue) { result in print(result) }
        user = try? await PlainMock().request(type: User.self)
        let running: any NetworkRequest = LiveUsers.user(7).request(type: User.self, queue: queue) { print($0) }
        running.cancel()
    }
}
