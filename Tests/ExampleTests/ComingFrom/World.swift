import Foundation
import NetworkEngine
import NetworkEngineTesting

/// The types that the samples of all articles use.
let api = URL(string: "https://api.example.com")!

struct User: Codable, Sendable, Equatable {
    var id: Int
    var name: String
}

struct Draft: Codable, Sendable {
    var name: String
}

let ada = MockAnswer.json(#"{"id": 7, "name": "Ada"}"#)
let users = MockAnswer.json(#"[{"id": 7, "name": "Ada"}]"#)

func makeClient(_ mock: MockTransport, _ interceptors: [any RequestInterceptor] = []) -> HTTPClient {
    var configuration = NetworkConfiguration()
    configuration.transport = mock
    return HTTPClient(baseURL: api, interceptors: interceptors, configuration: configuration)
}

func makeProvider<Target: TargetType>(
    _ mock: MockTransport,
    _ interceptors: [any RequestInterceptor] = []
) -> NetworkProvider<Target> {
    var configuration = NetworkConfiguration()
    configuration.transport = mock
    return NetworkProvider(interceptors: interceptors, configuration: configuration)
}

/// A temporary folder that is removed after a test.
struct Folder: ~Copyable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("coming-from-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String, _ text: String) throws -> URL {
        let file = url.appendingPathComponent(name)
        try Data(text.utf8).write(to: file)
        return file
    }
}

/// The first result that a callback receives.
struct FirstResult<Value: Sendable>: Sendable {
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
