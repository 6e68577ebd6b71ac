import Foundation
import NetworkEngine
import NetworkEngineTesting
import Testing

/// The README's samples, letter for letter, compared with it.
@Suite(.timeLimit(.minutes(5))) struct ReadmeTests {
    // sample: target
    enum UserAPI: TargetType {
        case list(page: Int), user(Int)

        var baseURL: URL { URL(string: "https://api.example.com/v1")! }
        var path: String { if case .user(let id) = self { "/users/\(id)" } else { "/users" } }
        var method: HTTPMethod { .get }
        var task: NetworkTask {
            guard case .list(let page) = self else { return .requestPlain }
            return .requestParameters(parameters: ["page": page], encoding: .query)
        }
    }

    func load() async throws(NetworkError) -> User { try await NetworkProvider<UserAPI>().request(.user(7)) }
    // end

    // sample: interceptor
    struct BearerAuth: RequestInterceptor {
        let token: @Sendable () -> String

        func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
            var request = request
            request.headers["Authorization"] = "Bearer \(token())"
            return request
        }
    }
    // end

    struct User: Decodable, Sendable {
        var id: Int
    }

    // sample: test
    @Test func `a user that is not there is shown as missing`() async throws {
        var configuration = NetworkConfiguration()
        configuration.transport = MockTransport(.status(404))
        let error = await #expect(throws: NetworkError.self) {
            try await NetworkProvider<UserAPI>(configuration: configuration).request(.user(7))
        }
        #expect(error?.statusName == .notFound)
    }
    // end

    @Test func `the README's samples are the ones that compile here`() throws {
        let here = URL(fileURLWithPath: #filePath)
        let readme = try String(
            contentsOf: here.appendingPathComponent("../../../README.md").standardized, encoding: .utf8)
        let source = try String(contentsOf: here, encoding: .utf8)
        let samples = source.components(separatedBy: "// sample: ").dropFirst().compactMap { part -> String? in
            guard let end = part.range(of: "// end"), let start = part.firstIndex(of: "\n") else { return nil }
            return String(part[start..<end.lowerBound]).trimmingCharacters(in: .whitespacesAndNewlines)
        }
        #expect(samples.count == 4)
        for sample in samples.dropLast() {
            #expect(readme.contains(sample.removingIndent), "\(sample)")
        }
    }

    @Test func `the interceptor of the README sets its header`() async throws {
        var configuration = NetworkConfiguration()
        let mock = MockTransport(.json(#"{"id": 7}"#), .json(#"{"id": 8}"#))
        configuration.transport = mock
        let provider = NetworkProvider<UserAPI>(interceptor: BearerAuth { "t" }, configuration: configuration)
        let user: User = try await provider.request(.user(7))
        #expect(user.id == 7)
        _ = try await provider.data(.list(page: 2))
        #expect(mock.requests.map { $0.headers["Authorization"] } == ["Bearer t", "Bearer t"])
        #expect(
            mock.requests.map(\.url.absoluteString) == [
                "https://api.example.com/v1/users/7", "https://api.example.com/v1/users?page=2",
            ])
    }
}

extension String {
    /// The text without the spaces that its lines share, the first line's being gone already.
    fileprivate var removingIndent: String {
        let lines = components(separatedBy: "\n")
        let rest = lines.dropFirst().filter { !$0.isEmpty }
        let indent = rest.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return ([lines[0]] + lines.dropFirst().map { String($0.dropFirst(indent)) }).joined(separator: "\n")
    }
}
