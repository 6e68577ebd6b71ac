import Foundation
import NetworkEngineStreams
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Absolute paths, if the configuration allows them.
@Suite(.timeLimit(.minutes(5))) struct RequestRulesTests {
    private static let absolute = ["http://api.test/v1/x", "https://other.test/x", "HTTPS://other.test"]

    @Test(arguments: absolute)
    func `an absolute path can be forbidden, wherever a path is joined to a base`(path: String) async throws {
        let mock = MockTransport(.status(200).repeating())
        let client = HTTPClient(mock) { $0.allowsAbsolutePaths = false }
        let provider = NetworkProvider<TestTarget>(mock) { $0.allowsAbsolutePaths = false }
        let target = TestTarget(path: path)
        let download = TestTarget(path: path, task: .downloadDestination(.temporary))
        let upload = TestTarget(path: path, method: .post, task: .requestData(Data("b".utf8)))
        let calls: [@Sendable () async throws -> Void] = [
            { try await client.send(.get(path)) }, { _ = try await client.request(.get(path)) as Data },
            { _ = try await client.stream(.get(path)) }, { _ = try client.urlRequest(for: .get(path)) },
            { for try await _ in client.events(.get(path)) {} },
            { _ = try await client.start(TypedEndpoint(.get(path), decoding: .data)).value },
            { _ = try await provider.send(target) }, { _ = try await provider.start(target, as: Data.self).value },
            { _ = try await provider.stream(target) }, { for try await _ in provider.events(target) {} },
            { _ = try await provider.download(download) }, { _ = try await provider.startDownload(download).value },
            { _ = try await provider.upload(upload, as: Data.self) }, { _ = try provider.urlRequest(for: target) },
        ]
        for (number, call) in calls.enumerated() {
            let error = await #expect(throws: NetworkError.self, "\(number)") { try await call() }
            #expect(error?.kind == .invalidRequest, "\(number)")
        }
        #expect(mock.requests.isEmpty)
        try await client.send(.get("/x"))
        #expect(mock.requests.map(\.url.absoluteString) == ["http://api.test/v1/x"])
    }

    private static let secrets: HTTPHeaders = ["Authorization": "mine", "Cookie": "a=b", "X-Api-Key": "k"]

    @Test func `an absolute path to another origin is sent without the static credentials`() async throws {
        let mock = MockTransport(.status(200).repeating())
        let headers = Self.secrets.merging(["Accept": "*/*", "X-Customer": "c"])
        let client = HTTPClient(mock) { $0.secretNames = ["x-customer"] }
        let provider = NetworkProvider<TestTarget>(mock)
        for path in ["https://other.test/x", "https://api.test/v1/x", "http://api.test:8080/x"] {
            try await client.send(.get(path, headers: headers))
            #expect(mock.requests.last?.headers == ["Accept": "*/*"], "\(path)")
            _ = try await provider.send(TestTarget(path: path, headers: Self.secrets))
            #expect(mock.requests.last?.headers == [:], "\(path)")
        }
    }

    @Test func `the origin of the base and those that are trusted get the static credentials`() async throws {
        let mock = MockTransport(.status(200).repeating())
        let client = HTTPClient(mock) { $0.trustedOrigins = [URL(string: "https://other.test/any")].compactMap { $0 } }
        for path in ["/x", "http://API.test:80/x", "https://other.test/x", "//other.test/x"] {
            try await client.send(.get(path, headers: Self.secrets))
            #expect(mock.requests.last?.headers == Self.secrets, "\(path)")
        }
    }
}
