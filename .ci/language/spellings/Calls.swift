import Foundation
import NetworkEngine

// What a newcomer writes first about clients and calls. The comment before a function is the answer of the
// compiler.

struct Draft: Codable, Sendable { var name = "Ada" }
struct User: Codable, Sendable { var name = "Ada" }
let draft = Draft()
let url = URL(fileURLWithPath: "/")

enum UserAPI: TargetType {
    case user(Int), report

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "/users" }
}

// compiles
func request(_ client: HTTPClient) async throws -> User { try await client.request(.get("/users/7")) }

// says: Add the JSON to the endpoint: '.post(path).json(value)'.
func requestJSON(_ client: HTTPClient) async throws -> User {
    try await client.request(.post("/users", json: draft))
}

// says: Add the body to the endpoint: 'request(.post(path).json(value))'.
func requestBesideJSON(_ client: HTTPClient) async throws -> User {
    try await client.request(.post("/users"), json: draft)
}

// says: Add the body to the endpoint: 'request(.post(path).json(value))'.
func untypedBesideJSON(_ client: HTTPClient) async throws { try await client.request(.post("/users"), json: draft) }

// compiles
func untyped(_ client: HTTPClient) async throws {
    let data = try await client.request(.get("/users"))
    print(data.count)
}

// says: Pass an endpoint to a call: 'request(.get("/users"))'.
func getOfClient(_ client: HTTPClient) async throws -> User { try await client.get("/users/7") }

// says: Pass an endpoint to a call: 'request(.get("/users"))'.
func getOfClientAsType(_ client: HTTPClient) async throws {
    let user = try await client.get("/users/7", as: User.self)
    print(user.name)
}

// says: Pass an endpoint to a call: 'request(.post("/users").json(value))'.
func postOfClient(_ client: HTTPClient) async throws -> User { try await client.post("/users", json: draft) }

// says: Pass an endpoint to a call: 'send(.delete("/users/7"))'.
func deleteOfClient(_ client: HTTPClient) async throws { try await client.delete("/users/7") }

// says: Pass an endpoint, which has a method and a path: '.get("/users")'.
func pathAlone(_ client: HTTPClient) async throws -> User { try await client.request("/users/7") }

// says: Pass an endpoint, which has a method and a path: '.post("/users")'.
func pathAndMethod(_ client: HTTPClient) async throws -> User {
    try await client.request("/users", method: .post)
}

// says: Pass an endpoint: '.get("/users")', or '.get(url.absoluteString)'.
func urlAlone(_ client: HTTPClient) async throws -> User { try await client.request(url) }

// says: 'request(_:type:)' has been renamed to 'request(_:as:)'
func typeLabel(_ client: HTTPClient) async throws {
    let user = try await client.request(.get("/users/7"), type: User.self)
    print(user.name)
}

// says: 'request(_:of:)' has been renamed to 'request(_:as:)'
func ofLabel(_ client: HTTPClient) async throws {
    let user = try await client.request(.get("/users/7"), of: User.self)
    print(user.name)
}

// says: 'request' has been renamed to 'request(_:as:)'
func typeWithoutLabel(_ client: HTTPClient) async throws {
    let user = try await client.request(.get("/users/7"), User.self)
    print(user.name)
}

// says: Add the body to the endpoint: 'send(.post(path).json(value))'.
func sendBody(_ client: HTTPClient) async throws { try await client.send(.post("/users"), body: draft) }

// says: Add the body to the endpoint: 'send(.post(path).json(value))'.
func sendJSON(_ client: HTTPClient) async throws { try await client.send(.post("/users"), json: draft) }

// says: Pass an endpoint: 'data(.get("/users"))', or '.get(url.absoluteString)'.
func dataFromURL(_ client: HTTPClient) async throws {
    let (data, response) = try await client.data(from: url)
    print(data, response)
}

// says: Add the bytes to the endpoint: 'upload(.post(path).body(data))'.
func uploadData(_ client: HTTPClient) async throws { try await client.upload(.post("/photo"), data: Data()) }

// says: Add the bytes to the endpoint: 'upload(.post(path).body(data))'.
func uploadFrom(_ client: HTTPClient) async throws { try await client.upload(.post("/photo"), from: Data()) }

// says: Add the parts to the endpoint: 'upload(.post(path).multipart(parts))'.
func uploadOfParts(_ client: HTTPClient) async throws -> User {
    try await client.upload(.post("/users"), multipart: [.text("Ada", name: "name")])
}

// says: Add the file to the endpoint: 'upload(.post(path).file(url))'.
func uploadOfFile(_ client: HTTPClient) async throws { try await client.upload(.post("/photo"), file: url) }

// says: Name the file or its folder: 'to: .file(at: url)' or 'to: .suggested(in: folder)'.
func downloadToURL(_ client: HTTPClient) async throws {
    let file = try await client.download(.get("/report"), to: url)
    print(file.path)
}

// says: The target's task has the destination: '.downloadDestination(.file(at: url))'.
func downloadOfTargetToURL(_ provider: NetworkProvider<UserAPI>) async throws {
    let file = try await provider.download(.report, to: url)
    print(file.path)
}

// says: The call names no type to decode. Write 'request(…, as: User.self) { result in … }'.
func callbackWithoutType(_ client: HTTPClient) {
    client.request(.get("/users/7")) { result in print(result) }
}

// compiles
func callbackWithType(_ client: HTTPClient) {
    client.request(.get("/users/7"), as: User.self) { result in print(result) }
}

// says: A base is a URL: create one with 'URL(string: "https://api.example.com")'.
func clientOfText() -> HTTPClient { HTTPClient(baseURL: "https://api.example.com") }

// says: A base is a URL: write 'HTTPClient(baseURL: url)'.
func clientOfTextWithoutLabel() -> HTTPClient { HTTPClient("https://api.example.com") }

// answers: missing argument for parameter 'baseURL' in call
func clientWithoutBase() -> HTTPClient { HTTPClient() }

// says: Set 'configuration.headers', and pass 'HTTPClient(baseURL: url, configuration: …)'.
func clientWithHeaders() -> HTTPClient { HTTPClient(baseURL: url, headers: ["A": "1"]) }

// says: Set 'configuration.timeout', and pass 'HTTPClient(baseURL: url, configuration: …)'.
func clientWithTimeout() -> HTTPClient { HTTPClient(baseURL: url, timeout: 30) }

// says: Pass a list: 'HTTPClient(baseURL: url, interceptors: [policy])'.
func clientWithInterceptor() -> HTTPClient { HTTPClient(baseURL: url, interceptor: RetryPolicy()) }
