import Foundation

/// A client that sends requests as fast as possible.
protocol LoadClient: Sendable {
    var name: String { get }
    /// Whether it decodes the responses.
    var decodes: Bool { get }
    /// The approximate number of requests that it sends while a bare session sends one.
    var speed: Int { get }

    /// Sends requests with a concurrency limit, and returns the requests per second.
    func rate(requests: Int, concurrency: Int) async throws -> Double
}

/// A client that sends single requests.
protocol OneByOne: LoadClient {
    /// Sends a request.
    func send() async throws
}

extension OneByOne {
    func rate(requests: Int, concurrency: Int) async throws -> Double {
        try await loops(requests, concurrency) { try await send() }
    }
}

extension LoadClient {
    var speed: Int { 1 }

    /// Runs one loop for each concurrent request.
    func loops(_ requests: Int, _ concurrency: Int, _ body: @escaping @Sendable () async throws -> Void) async throws
        -> Double
    {
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<concurrency {
                group.addTask {
                    for _ in 0..<requests / concurrency { try await body() }
                }
            }
            try await group.waitForAll()
        }
        return Double(requests / concurrency * concurrency) / (ContinuousClock.now - start).seconds
    }
}

struct LoadFailure: Error {}

struct UserList: Decodable, Sendable {
    struct User: Decodable, Sendable {
        var id: Int
        var first_name: String
        var last_name: String
        var email: String
        var is_active: Bool
    }

    var page: Int
    var total: Int
    var users: [User]
}
