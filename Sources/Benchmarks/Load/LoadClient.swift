import Foundation

/// Something that makes requests as fast as it can.
protocol LoadClient: Sendable {
    var name: String { get }
    /// Whether it makes values of what comes back.
    var decodes: Bool { get }
    /// About how many requests it makes while a bare session makes one.
    var speed: Int { get }

    /// Makes requests, so many at a time, and counts them per second.
    func rate(requests: Int, concurrency: Int) async throws -> Double
}

/// A client that can be asked for one request after the other.
protocol OneByOne: LoadClient {
    /// Makes a request.
    func send() async throws
}

extension OneByOne {
    func rate(requests: Int, concurrency: Int) async throws -> Double {
        try await loops(requests, concurrency) { try await send() }
    }
}

extension LoadClient {
    var speed: Int { 1 }

    /// Runs as many loops as requests are wanted at a time.
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
