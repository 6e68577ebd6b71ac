import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLSessionConfiguration {
    /// What every session here runs on.
    static func load(connections: Int) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = connections
        configuration.urlCache = nil
        return configuration
    }
}

/// URLSession's tasks with a completion handler.
struct CallbackClient: LoadClient {
    let name = "bare URLSession, callbacks"
    let url: URL
<<<<<<< HEAD:Sources/Benchmarks/Load/SessionClients.swift
    let decodes: Bool
    private let session = URLSession(configuration: .load(connections: 64))

    init(url: URL, decodes: Bool) {
        self.url = url
        self.decodes = decodes
=======
    private let session: URLSession

    init(url: URL, connections: Int = 64) {
        self.url = url
        session = URLSession(configuration: .load(connections: connections))
>>>>>>> main:Sources/Benchmarks/LoadClients.swift
    }

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

    /// Makes requests one after the other, each from the callback of the one before.
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

/// URLSession's own async method.
struct AsyncClient: LoadClient {
    let name = "bare URLSession, data(for:)"
    let url: URL
<<<<<<< HEAD:Sources/Benchmarks/Load/SessionClients.swift
    let decodes: Bool
    private let session = URLSession(configuration: .load(connections: 64))

    init(url: URL, decodes: Bool) {
        self.url = url
        self.decodes = decodes
=======
    private let session: URLSession

    init(url: URL, connections: Int = 64) {
        self.url = url
        session = URLSession(configuration: .load(connections: connections))
>>>>>>> main:Sources/Benchmarks/LoadClients.swift
    }

    func rate(requests: Int, concurrency: Int) async throws -> Double {
        try await loops(requests, concurrency) {
            let (data, _) = try await session.data(for: URLRequest(url: url))
<<<<<<< HEAD:Sources/Benchmarks/Load/SessionClients.swift
            if decodes { _ = try JSONDecoder().decode(UserList.self, from: data) }
=======
            _ = try JSONDecoder().decode(UserList.self, from: data)
        }
    }
}

/// This framework over URLSession.
struct ProviderClient: LoadClient {
    let name = "provider over URLSession"
    private let provider: NetworkProvider<Users>
    private let target: Users

    private struct Users: TargetType {
        let baseURL: URL
        let path = "/users"
        let method = HTTPMethod.get
        let task = NetworkTask.requestPlain
    }

    init(url: URL, connections: Int = 64) {
        var options = URLSessionOptions()
        options.totalLimit = connections
        var configuration = NetworkConfiguration()
        configuration.transport = URLSessionTransport(configuration: .load(connections: connections), options: options)
        provider = NetworkProvider(configuration: configuration)
        target = Users(baseURL: url)
    }

    func rate(requests: Int, concurrency: Int) async throws -> Double {
        try await loops(requests, concurrency) {
            let _: UserList = try await provider.request(target)
>>>>>>> main:Sources/Benchmarks/LoadClients.swift
        }
    }
}
