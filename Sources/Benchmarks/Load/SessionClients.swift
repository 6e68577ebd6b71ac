import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLSessionConfiguration {
    /// The configuration of all sessions.
    static func load(connections: Int) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = connections
        configuration.urlCache = nil
        return configuration
    }
}

/// URLSession tasks with a completion handler.
struct CallbackClient: OneByOne {
    let name = "bare URLSession, callbacks"
    let url: URL
    let decodes: Bool
    private let session: URLSession

    init(url: URL, decodes: Bool = true, connections: Int = 64) {
        self.url = url
        self.decodes = decodes
        session = URLSession(configuration: .load(connections: connections))
    }

    func send() async throws { _ = try await chain(of: 1) }

    func rate(requests: Int, concurrency: Int) async throws -> Double {
        let start = ContinuousClock.now
        let done = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<concurrency {
                group.addTask { try await chain(of: requests / concurrency) }
            }
            return try await group.reduce(0, +)
        }
        return Double(done) / (ContinuousClock.now - start).seconds
    }

    /// Sends requests in sequence, each from the callback of the previous one.
    private func chain(of length: Int) async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            next(left: length) { continuation.resume(with: $0.map { length }) }
        }
    }

    private func next(left: Int, end: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        guard left > 0 else { return end(.success(())) }
        let task = session.dataTask(with: url) { data, _, error in
            do {
                if let error { throw error }
                if decodes { _ = try JSONDecoder().decode(UserList.self, from: data ?? Data()) }
                next(left: left - 1, end: end)
            } catch {
                end(.failure(error))
            }
        }
        task.resume()
    }
}

/// URLSession's async method.
struct AsyncClient: OneByOne {
    let name = "bare URLSession, data(for:)"
    let url: URL
    let decodes: Bool
    private let session: URLSession

    init(url: URL, decodes: Bool = true, connections: Int = 64) {
        self.url = url
        self.decodes = decodes
        session = URLSession(configuration: .load(connections: connections))
    }

    func send() async throws {
        let (data, _) = try await session.data(for: URLRequest(url: url))
        if decodes { _ = try JSONDecoder().decode(UserList.self, from: data) }
    }
}
