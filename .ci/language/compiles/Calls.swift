import Foundation
import NetworkEngine
import NetworkEngineStreams

// Calls with a used result, and calls with an ignored one.

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
    let size = try await inferred.value.count
    try await task.value
    let data = try await provider.request(.user(7))
    let bytes: Data = try await provider.request(.user(7))
    let noBytes: Data? = try await provider.request(.user(7))
    let tried = try? await provider.request(.user(7))
    async let received = provider.request(.user(7))
    let handle = provider.start(.user(7), as: Data.self)
    provider.request(.user(7), as: Data.self) { result in print(result) }
    print(data.count, bytes, noBytes as Any, tried as Any, try await received.count, try await handle.value, size)
    print(String(decoding: try await provider.request(.user(7)), as: UTF8.self))
    print(try await provider.request(.user(7)).isEmpty)
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
    let data = try await provider.upload(.user(7))
    let bytes: Data = try await provider.upload(.user(7), progress: { print($0) })
    let nobody: User? = try await provider.upload(.user(7))
    print(data.count, bytes.count, nobody as Any)
    show(user)
    show(other)
}

func calls(by client: HTTPClient) async throws {
    try await client.request(.post("/users").json(Draft()))
    _ = try await client.request(.post("/users").json(Draft()))
    let user: User = try await client.request(.post("/users").json(Draft()))
    let done: Void = try await client.request(.post("/users").json(Draft(), encoder: JSONEncoder()))
    let task = Task { try await client.request(.post("/users").json(Draft())) }
    let answer = try await client.request(.post("/users").json(Draft()))
    let noAnswer: Data? = try await client.request(.post("/users").json(Draft()))
    print(try await task.value.count, answer.count, noAnswer as Any)
    try await client.request(.post("/users").json(Draft()))
    let data = try await client.request(.get("/users"))
    let endpoint = Endpoint.get("/users")
    let same = try await client.request(endpoint)
    try await client.request(endpoint)
    let body: Data = try await client.request(.post("/users").json(Draft()))
    let all = [try await client.request(endpoint), try await client.request(.post("/users").json(Draft())), body]
    let either = all.isEmpty ? try await client.request(endpoint) : Data()
    print(data.count, same.count, either.count, try await client.request(endpoint) == client.request(endpoint))
    try await client.send(.delete("/users/7"))
    try await client.send(.put("/users/7").json(Draft()))
    client.request(.get("/users/7")) { (result: Result<User, NetworkError>) in print(result) }
    client.request(.get("/photo")) { (result: Result<Data, NetworkError>) in print(result) }
    client.request(.get("/photo"), as: Data.self) { result in print(result) }
    let sent: HTTPResponse = try await client.send(.put("/users/7").json(Draft(), encoder: JSONEncoder()))
    let named = try await client.request(.get("/users/7"), as: User.self)
    let typed = try await client.request(TypedEndpoint<User>(.get("/users/7")))
    show(sent.statusCode == 200 ? named : typed)
    let bytes: Data = try await client.request(.get("/users/7"))
    print(bytes.count)
    show(user)
    return done
}

func transfers(by client: HTTPClient, of file: URL) async throws {
    let parts: [MultipartFormData] = [.text("Ada", name: "name"), .json(Draft(), name: "draft")]
    try await client.upload(.post("/users").multipart(parts))
    try await client.upload(.post("/users").multipart(parts)) { print($0) }
    try await client.upload(.put("/photo").file(file))
    try await client.upload(.put("/photo").file(file), progress: { print($0) })
    let user: User = try await client.upload(.post("/users").multipart(parts))
    show(try await client.upload(.put("/photo").file(file), as: User.self) { print($0) })
    let task = Task { try await client.upload(.post("/users").multipart(parts)) }
    let sent = try await client.upload(.put("/photo").file(file))
    let form = try await client.upload(.post("/users").multipart(parts)) { print($0) }
    let bytes: Data = try await client.upload(.post("/users").multipart(parts))
    print(try await task.value.count, sent.count, form.count, bytes.count)
    let place = try await client.download(.get("/file"), to: .file(at: file)) { print($0) }
    let other = try await client.download(.get("/file"))
    let handle = client.startDownload(.get("/file"))
    let started = client.start(.get("/users/7"), as: User.self)
    let uploading = client.startUpload(.post("/users").multipart(parts), as: User.self)
    let sending: RequestHandle<User> = client.startUpload(.put("/photo").file(file))
    client.upload(.put("/photo").file(file), as: User.self) { (result: Result<User, NetworkError>) in print(result) }
    client.upload(.post("/users").multipart(parts), as: User.self, progress: { print($0) }) { print($0) }
    client.download(.get("/file"), queue: .main) { result in print(result) }
    client.string(.get("/text")) { (result: Result<String, NetworkError>) in print(result) }
    print(try await client.string(.get("/text")), try await uploading.value, try await sending.value)
    show(try await started.value)
    show(user)
    print(place, other, try await handle.value)
}

func endpoints(_ common: [String: String], _ token: String?) -> [Endpoint] {
    [
        .get("/users", headers: HTTPHeaders(common)), .get("/users", headers: ["A": "1", "A": "2"]),
        .get("/users", headers: [:]),
        .post("/users", headers: HTTPHeaders(common.merging(["A": "1"]) { $1 })).timeout(.seconds(3)),
        .get("/users", headers: token.map { ["Authorization": $0] } ?? [:]),
        .post("/login").form(["user": "Ada", "user": "Bob"]), .post("/login").form(common),
        .post("/login").form([("user", "Ada")]), .post("/login").form([]),
        .put("/users", headers: HTTPHeaders(common)).json(Draft()),
        .post("/login").form(["user": "Ada", "user": "Bob"]),
        .get("/users").query("page", 2).query("search", token).header("A", "1").timeout(.seconds(3)).bearer("t"),
        .get("/users", query: ["page": 2, "name": "Ada"]), .delete("/users", query: ["id": 7], headers: ["A": "1"]),
        .get(
            "/users", query: ["q": token, "ids": [1, 2], "since": Date(), "on": true, "none": nil, "q": ["a": UUID()]]),
        .get("/users").query(common).query("none", nil).query("ids", Set([1])).query(["page": 2, "sort": "name"]),
        .post("/login").form(common), .put("/photo").body(Data()), .put("/photo").body(.data(Data())),
        .get("/users", query: [:], headers: ["A": "1", "A": "2"]).timeout(.seconds(3)),
        .put("/photo").file(URL(fileURLWithPath: "/")).deadline(.seconds(3)),
        .post("/login", headers: HTTPHeaders(common)).form(["user": "Ada", "user": "Bob"]).cachePolicy(.bypass),
        .post("/login", headers: ["A": "1", "A": "2"]).form(common).timeout(.seconds(3)),
        .get("/users").timeout(.seconds(3)).cachePolicy(.reload),
        .get("/users", headers: HTTPHeaders(common)).cachePolicy(.bypass),
    ]
}

nonisolated struct UserPage: Codable, Sendable {
    var users: [User] = []
    var next: String?
}

func pages(
    by client: HTTPClient, _ provider: NetworkProvider<UserAPI>, _ contract: any HTTPClientContract
) async throws {
    for try await page in client.pages(of: UserPage.self, from: .get("/users"), by: .cursor("after", \.next)) {
        page.users.forEach(show)
    }
    for try await users in client.pages(of: [User].self, from: .get("/users"), by: .link) { users.forEach(show) }
    for try await users in provider.pages(of: [User].self, from: .user(1), by: .number("page")) { users.forEach(show) }
    let offsets = provider.pages(of: UserPage.self, from: .user(1), by: .offset("skip") { $0.users.count })
    for try await page in offsets.prefix(2) { page.users.forEach(show) }
    var chosen = contract.pages(of: UserPage.self, from: .get("/users")) { page in page.value.next.map { .get($0) } }
    chosen.limit = 3
    do throws(NetworkError) {
        for try await page in chosen { print(page.users.count) }
    } catch {
        print(error.kind)
    }
    var iterator = provider.pages(of: UserPage.self, from: .user(1)) { $0.statusCode == 206 ? .user(2) : nil }
        .makeAsyncIterator()
    if let page = try await iterator.next() { print(page.users.count) }
}

func calls(by mapped: any NetworkCalling<UserAPI, AppError>) async throws(AppError) {
    try await mapped.request(.user(7))
    let user: User = try await mapped.request(.user(7))
    let done: Void = try await mapped.request(.user(7))
    let data = try await mapped.request(.user(7))
    print(data.count)
    show(user)
    return done
}

func kinds(_ client: HTTPClient, _ error: NetworkError) async throws -> Bool {
    do throws(NetworkError) {
        try await client.send(.delete("/users/7"))
    } catch .cancelled {
        return false
    }
    do {
        try await client.send(.delete("/users/7"))
    } catch .timeout {
        return false
    }
    if case .tls = error { return true }
    return switch error {
    case .offline, .connection: true
    case .status where error.statusCode == 404: false
    default: error.kind == .timeout
    }
}

func load(_ provider: NetworkProvider<UserAPI>) async throws(NetworkError) -> User {
    try await provider.request(.user(7))
}
func save(_ provider: NetworkProvider<UserAPI>) async throws(NetworkError) { try await provider.request(.user(7)) }
