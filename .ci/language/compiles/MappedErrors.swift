import Foundation
import NetworkEngine
import NetworkEngineGraphQL
import NetworkEngineStreams

// Calls with the app's errors, and the interceptor that most apps use.

nonisolated struct User: Codable, Sendable { var name = "Ada" }
nonisolated struct AppError: Error {}

nonisolated struct AppErrors: NetworkErrorMapper, GraphQLErrorMapper {
    func map(_ error: NetworkError) -> AppError { AppError() }
    func map(_ error: GraphQLError) -> AppError { AppError() }
}

enum UserAPI: TargetType {
    case user(Int)

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "/users" }
    var method: HTTPMethod { .get }
    var task: NetworkTask { .requestPlain }
}

nonisolated func show(_ user: User) {}

func calls(by users: any NetworkCalling<UserAPI, AppError>) async throws(AppError) {
    try await users.request(.user(7))
    let user: User = try await users.request(.user(7))
    let done: Void = try await users.request(.user(7))
    let list: LossyArray<User> = try await users.request(.user(7), decoding: .json(at: "data.users"))
    let other = try await users.response(.user(7), as: User.self).value
    let handle = users.start(.user(7), as: User.self)
    show(try await handle.value)
    try await users.upload(.user(7)) { print($0) }
    let sent: User = try await users.upload(.user(7))
    _ = try await users.download(.user(7))
    _ = try await users.startDownload(.user(7)).value
    _ = try await users.string(.user(7))
    list.elements.forEach(show)
    [user, other, sent].forEach(show)
    return done
}

func sequences(of users: any NetworkCalling<UserAPI, AppError>) async throws(AppError) {
    var events = users.events(.user(7))
    events.idleTimeout = .seconds(30)
    for try await event in events { print(event.data) }
    for try await user in users.events(.user(7), as: User.self) { show(user) }
    for try await line in try await users.stream(.user(7)).lines() { print(line) }
    for try await user in try await users.stream(.user(7)).jsonLines(as: User.self) { show(user) }
}

func callbacks(by users: any NetworkCalling<UserAPI, AppError>) {
    users.request(.user(7), as: User.self) { result in
        if case .failure(let error) = result { print(error) }
    }
    users.string(.user(7)) { print($0) }
    users.download(.user(7), queue: .main) { print($0) }
}

func calls(by client: any NetworkCalling<Endpoint, AppError>) async throws(AppError) {
    try await client.send(.delete("/users/7"))
    try await client.request(.post("/users").json(User()))
    let user: User = try await client.request(.post("/users").json(User()))
    let bytes: Data = try await client.request(.get("/users/7"))
    for try await other in client.events(.get("/users"), as: User.self) { show(other) }
    print(bytes.count)
    show(user)
}

func erased(_ client: HTTPClient) -> any NetworkCalling<Endpoint, AppError> { client.mapErrors(with: AppErrors()) }
func closure(_ client: any HTTPClientContract) -> any NetworkCalling<Endpoint, AppError> {
    client.mapErrors { _ in AppError() }
}

func execute(_ operation: GraphQLOperation, by client: GraphQLClient) async throws(AppError) {
    let mapped = client.mapErrors(with: AppErrors())
    try await mapped.execute(operation)
    let user: User = try await mapped.execute(operation)
    for try await other in mapped.subscribe(to: operation, as: User.self) { show(other) }
    show(user)
}

nonisolated func renew() async throws -> Bool { true }
nonisolated func isNetworkReachable() async -> Bool { true }
nonisolated func token() async throws -> String? { "t" }
nonisolated func signOut() async {}

nonisolated enum Interceptors {
    static let named = DefaultInterceptor(renew, isNetworkReachable)
    static let labeled = DefaultInterceptor(refreshToken: renew, isNetworkReachable: isNetworkReachable, retryCount: 1)
    static let complete = DefaultInterceptor(renew, isNetworkReachable, token: token, onSessionExpired: signOut)
    static let trailing = DefaultInterceptor {
        true
    } isNetworkReachable: {
        true
    } token: {
        "t"
    } onSessionExpired: {
        print("expired")
    }
    static let short = DefaultInterceptor { true }
    static let reachability = Reachability { true }
}
