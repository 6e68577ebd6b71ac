import Foundation
import NetworkEngine

// What a newcomer writes first about errors, responses and interceptors. The comment before a function is the answer
// of the compiler.

let url = URL(fileURLWithPath: "/")

// compiles
func catchCancelled(_ client: HTTPClient) async throws {
    do { try await client.send(.get("/")) } catch .cancelled { print("canceled") }
}

// compiles
func switchOverError(_ error: NetworkError) -> String {
    switch error {
    case .offline: "offline"
    case .timeout: "slow"
    default: "other"
    }
}

// answers: type 'NetworkError' has no member 'timeout'
func caseOfErrorType(_ client: HTTPClient) async throws {
    do { try await client.send(.get("/")) } catch NetworkError.timeout { print("slow") }
}

// says: Compare 'error.statusCode == 404', or 'error.statusName == .notFound'.
func statusInPattern(_ error: NetworkError) -> Bool {
    if case .status(404) = error { true } else { false }
}

// compiles
func comparedKind(_ error: NetworkError) -> Bool { error.kind == .offline && error.statusCode == 404 }

// says: Compare the kind: 'error.kind == .cancelled'.
func isCancelled(_ error: NetworkError) -> Bool { error.isCancelled }

// says: Compare 'error.kind', or 'error.statusCode' for the status of a response.
func codeOfError(_ error: NetworkError) -> Int? { error.code }

// says: 'status' has been renamed to 'statusCode'
func statusOfError(_ error: NetworkError) -> Bool { error.status == 404 }

// says: 'reason' is for developers, and 'localizedDescription' for people.
func messageOfError(_ error: NetworkError) -> String { error.message }

// says: Read the field by its name: 'response.headers["ETag"]'.
func fieldOfResponse(_ response: HTTPResponse) -> String? { response.value(forHTTPHeaderField: "ETag") }

// compiles
func fieldOfResponseHeaders(_ response: HTTPResponse) -> String? { response.headers["ETag"] }

// says: 'allHeaderFields' has been renamed to 'headers'
func allFields(_ response: HTTPResponse) -> Any { response.allHeaderFields }

// says: 'status' has been renamed to 'statusCode'
func statusOfResponse(_ response: HTTPResponse) -> Int { response.status }

// says: Let the call decode: 'let user: User = try await client.request(…)'.
func decodeResponse(_ response: HTTPResponse) throws -> [Int] { try response.decode([Int].self) }

// says: Set the field by its name: 'request.headers["Accept"] = value'.
func setField(_ request: HTTPRequest) -> HTTPRequest {
    var request = request
    request.setValue("1", forHTTPHeaderField: "A")
    return request
}

// answers: incorrect argument labels in call (have 'name:value:', expected '_:for:')
func addField(_ request: HTTPRequest) -> HTTPRequest {
    var request = request
    request.headers.add(name: "A", value: "1")
    return request
}

// says: Set the body: 'request.body = .data(data)'.
func assignBody(_ request: HTTPRequest) -> HTTPRequest {
    var request = request
    request.httpBody = Data()
    return request
}

// says: Pass a store for the credential: 'TokenRefresher(store: store) { old, context in … }'.
func refresherOfClosure() -> any RequestInterceptor {
    TokenRefresher { BearerToken("new") }
}

// answers: extra argument 'token' in call
func refresherWithToken() -> any RequestInterceptor {
    TokenRefresher(token: "t") { _ in BearerToken("new") }
}

// says: 'init(maxRetries:)' has been renamed to 'init(attemptLimit:)': The limit includes the first attempt.
func retries() -> RetryPolicy { RetryPolicy(maxRetries: 3) }

// says: 'init(retryLimit:)' has been renamed to 'init(attemptLimit:)': The limit includes the first attempt.
func retryLimit() -> RetryPolicy { RetryPolicy(retryLimit: 3) }

// says: 'init(_:)' has been renamed to 'init(attemptLimit:)': The limit includes the first attempt.
func retryCount() -> RetryPolicy { RetryPolicy(3) }

// says: Set 'configuration.timeout = .seconds(30)', or 'deadline' for whole calls.
func timeoutInterval() -> NetworkConfiguration {
    var configuration = NetworkConfiguration()
    configuration.timeoutInterval = 30
    return configuration
}

// answers: cannot assign value of type 'Int' to type 'Duration'
func timeoutInSeconds() -> NetworkConfiguration {
    var configuration = NetworkConfiguration()
    configuration.timeout = 30
    return configuration
}

// says: Create a configuration, and set its 'headers'.
func configurationOfHeaders() -> NetworkConfiguration { NetworkConfiguration(headers: ["A": "1"]) }
