import Foundation
import NetworkEngine

// An app's own extensions take precedence over the messages for wrong spellings.

nonisolated struct Person: Codable, Sendable { var name = "Ada" }

nonisolated extension HTTPClient {
    func get<Value: Decodable & Sendable>(_ path: EndpointPath) async throws(NetworkError) -> Value {
        try await request(.get(path))
    }

    func post<Value: Decodable & Sendable>(_ path: EndpointPath, json: some Encodable & Sendable) async throws -> Value
    {
        try await request(.post(path, json: json))
    }

    init(baseURL: String) { self.init(baseURL: URL(fileURLWithPath: baseURL)) }
}

nonisolated extension Endpoint {
    static func post(_ path: EndpointPath, json: some Encodable & Sendable) -> Endpoint { .post(path).json(json) }
    func headers(_ headers: HTTPHeaders) -> Endpoint { headers.reduce(self) { $0.header($1.name, $1.value) } }
    func timeout(_ seconds: Double) -> Endpoint { timeout(.seconds(seconds)) }
}

nonisolated extension NetworkError {
    var isCancelled: Bool { kind == .cancelled }
    var status: Int? { statusCode }
    var code: Int { statusCode ?? 0 }
    var message: String { reason }
}

nonisolated extension HTTPResponse {
    var status: Int { statusCode }
    func value(forHTTPHeaderField name: String) -> String? { headers[name] }
    func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(Value.self, from: data)
    }
}

nonisolated extension RetryPolicy {
    init(maxRetries: Int) { self.init(attemptLimit: maxRetries + 1) }
}

nonisolated func use(_ client: HTTPClient, _ error: NetworkError, _ response: HTTPResponse) async throws -> [Any?] {
    let person: Person = try await client.get("/people/\(7)")
    let made: Person = try await client.post("/people", json: person)
    let decoded: Person = try response.decode()
    return [
        made, decoded, try response.decode(Person.self), error.isCancelled, error.status, error.code, error.message,
        response.status, response.value(forHTTPHeaderField: "A"), RetryPolicy(maxRetries: 2),
        Endpoint.get("/").headers(["A": "1"]).timeout(5), HTTPClient(baseURL: "/"),
    ]
}
