import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct TargetTypeTests {
    /// A target with only the required properties.
    private struct Bare: TargetType {
        var baseURL: URL { API.base }
        var path: String { "/things" }
    }

    @Test func `a target needs a base and a path only`() async throws {
        let target = Bare()
        #expect(target.method == .get)
        if case .requestPlain = target.task {} else { Issue.record("a target has content by default") }
        #expect(target.headers == [:] && target.timeout == nil && target.authorization == .required)
        let mock = MockTransport(.json(#"{"first_name": 1}"#), .status(300))
        let provider = NetworkProvider<Bare>(mock)
        #expect(try await provider.request(target) == ["first_name": 1])
        #expect(mock.requests.map(\.url.absoluteString) == ["http://api.test/v1/things"])
        let error = await #expect(throws: NetworkError.self) { try await provider.request(target) }
        #expect(error?.statusCode == 300)
    }

    @Test func `a target can set headers, key strategy and timeout`() async throws {
        struct Name: Decodable, Sendable { var firstName: Int }
        let mock = MockTransport(.json(#"{"first_name": 7}"#))
        var target = TestTarget(headers: ["X-A": "1"], keyDecodingStrategy: .convertFromSnakeCase)
        target.timeout = .seconds(9)
        let name: Name = try await NetworkProvider(mock).request(target)
        #expect(name.firstName == 7)
        #expect(mock.requests.map { $0.headers["X-A"] } == ["1"] && mock.requests.map(\.timeout) == [.seconds(9)])
    }
}
