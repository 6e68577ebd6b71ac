import Foundation
import NetworkEngine
import NetworkEngineTesting

/// The types that all articles' samples use.
nonisolated let api = URL(string: "https://api.example.com")!

nonisolated struct User: Codable, Sendable, Equatable {
    var id: Int
    var name: String
}

nonisolated struct Draft: Codable, Sendable {
    var name: String
}

nonisolated let ada = MockAnswer.json(#"{"id": 7, "name": "Ada"}"#)
nonisolated let users = MockAnswer.json(#"[{"id": 7, "name": "Ada"}]"#)

nonisolated func makeClient(_ mock: MockTransport, _ interceptors: [any RequestInterceptor] = []) -> HTTPClient {
    var configuration = NetworkConfiguration()
    configuration.transport = mock
    return HTTPClient(baseURL: api, interceptors: interceptors, configuration: configuration)
}

nonisolated func makeProvider<Target: TargetType>(
    _ mock: MockTransport,
    _ interceptors: [any RequestInterceptor] = []
) -> NetworkProvider<Target> {
    var configuration = NetworkConfiguration()
    configuration.transport = mock
    return NetworkProvider(interceptors: interceptors, configuration: configuration)
}

/// The first result passed to a callback.
nonisolated struct FirstResult<Value: Sendable>: Sendable {
    private let results: AsyncStream<Result<Value, NetworkError>>
    let give: @Sendable (Result<Value, NetworkError>) -> Void

    init() {
        let (results, source) = AsyncStream.makeStream(of: Result<Value, NetworkError>.self)
        self.results = results
        give = { source.yield($0) }
    }

    func value() async throws -> Value? {
        for await result in results { return try result.get() }
        return nil
    }
}
