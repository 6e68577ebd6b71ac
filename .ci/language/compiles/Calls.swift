import Foundation
import NetworkEngine

// Calls whose answer is used, and calls whose answer is ignored.

nonisolated struct Draft: Codable, Sendable { var name = "Ada" }
nonisolated struct User: Codable, Sendable { var name = "Ada" }
nonisolated struct AppError: Error {}

nonisolated struct AppErrors: NetworkErrorMapper {
    func map(_ error: NetworkError) -> AppError { AppError() }
}

enum UserAPI: TargetType {
    case user(Int)

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "/users" }
    var method: HTTPMethod { .get }
    var task: NetworkTask { .requestPlain }
}

nonisolated func show(_ user: User) {}
nonisolated func attempt<Value>(_ work: @Sendable () async throws -> Value) async {}
nonisolated func run(_ work: @Sendable () async throws -> Void) async {}

func calls(by provider: NetworkProvider<UserAPI>) async throws {
    try await provider.request(.user(7))
    _ = try await provider.request(.user(7))
    _ = try? await provider.request(.user(7))
    let user: User = try await provider.request(.user(7))
    let other = try await provider.request(.user(7), as: User.self)
    let nobody: User? = try await provider.request(.user(0))
    show(try await provider.request(.user(7)))
    show(nobody ?? user)
    show(other)
    let done: Void = try await provider.request(.user(7))
    let task: Task<Void, any Error> = Task { try await provider.request(.user(7)) }
    let inferred = Task { try await provider.request(.user(7)) }
    try await inferred.value
    try await task.value
    async let void: Void = provider.request(.user(7))
    async let value: User = provider.request(.user(7))
    try await void
    show(try await value)
    await attempt { try await provider.request(.user(7)) }
    await run { try await provider.request(.user(7)) }
    let reload: @Sendable () async throws -> Void = { try await provider.request(.user(7)) }
    try await reload()
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await provider.request(.user(7)) }
        try await group.waitForAll()
    }
    do throws(NetworkError) {
        try await provider.request(.user(7))
    } catch {
        throw error
    }
    return done
}

func uploads(by provider: NetworkProvider<UserAPI>) async throws {
    try await provider.upload(.user(7))
    try await provider.upload(.user(7)) { print($0) }
    try await provider.upload(.user(7), progress: { print($0) })
    let user: User = try await provider.upload(.user(7))
    let other = try await provider.upload(.user(7), as: User.self) { print($0) }
    _ = Task { try await provider.upload(.user(7)) }
    show(user)
    show(other)
}

func calls(by client: HTTPClient) async throws {
    try await client.request(.post("/users"), json: Draft())
    _ = try await client.request(.post("/users"), json: Draft())
    let user: User = try await client.request(.post("/users"), json: Draft())
    let done: Void = try await client.request(.post("/users"), json: Draft(), encoder: JSONEncoder())
    let task = Task { try await client.request(.post("/users"), json: Draft()) }
    try await task.value
    try await client.send(.delete("/users/7"))
    let bytes: Data = try await client.request(.get("/users/7"))
    print(bytes.count)
    show(user)
    return done
}

func calls(by mapped: MappedProvider<UserAPI, AppErrors>) async throws(AppError) {
    try await mapped.request(.user(7))
    let user: User = try await mapped.request(.user(7))
    let done: Void = try await mapped.request(.user(7))
    show(user)
    return done
}

func load(_ provider: NetworkProvider<UserAPI>) async throws(NetworkError) -> User { try await provider.request(.user(7)) }
func save(_ provider: NetworkProvider<UserAPI>) async throws(NetworkError) { try await provider.request(.user(7)) }
