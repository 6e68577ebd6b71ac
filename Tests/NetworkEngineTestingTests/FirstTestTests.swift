import Fixtures
import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// The samples of the article "Your first test", compared with it literally.
@Suite(.timeLimit(.minutes(5))) struct FirstTestTests {
    struct User: Decodable, Equatable, Sendable {
        var id: Int
        var firstName: String
    }

    // sample: repository
    struct UserRepository {
        let client: HTTPClient

        func name(of id: Int) async throws -> String {
            let user: User = try await client.request(.get("/users/\(id)"))
            return user.firstName
        }
    }
    // end

    // sample: setup
    /// The app's client, on another wire.
    func client(over transport: any Transport) -> HTTPClient {
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        configuration.decoder.keyDecodingStrategy = .convertFromSnakeCase
        return HTTPClient(baseURL: URL(string: "https://api.example.com")!, configuration: configuration)
    }
    // end

    // sample: first
    @Test func `the name of a user is the first name`() async throws {
        let mock = MockTransport(.json(#"{"id": 7, "first_name": "Ada"}"#))
        let users = UserRepository(client: client(over: mock))
        #expect(try await users.name(of: 7) == "Ada")
        #expect(mock.requests.map(\.url.path) == ["/users/7"])
    }
    // end

    // sample: failure
    @Test func `a user that is not there is an error`() async throws {
        let users = UserRepository(client: client(over: MockTransport(.status(404))))
        let error = await #expect(throws: NetworkError.self) { try await users.name(of: 7) }
        #expect(error?.statusName == .notFound)
    }
    // end

    // sample: rules
    @Test func `two users are two requests`() async throws {
        let mock = MockTransport()
        mock.on(.get, "/users/7").answers(.json(#"{"id": 7, "first_name": "Ada"}"#))
        mock.on(.get, "/users/:id").answers(.fixture("User", in: .bundle(.module)))
        let users = UserRepository(client: client(over: mock))
        #expect(try await [users.name(of: 7), users.name(of: 8)].count == 2)
        try mock.checkAllUsed()
    }
    // end

    // sample: clock
    @Test func `a request to a slow server times out`() async throws {
        let clock = TestClock()
        var configuration = NetworkConfiguration()
        (configuration.transport, configuration.clock) = (MockTransport(.hang), clock)
        configuration.timeout = .seconds(10)
        let client = HTTPClient(baseURL: URL(string: "https://api.example.com")!, configuration: configuration)
        let call = Task { try await UserRepository(client: client).name(of: 7) }
        #expect(await clock.advanceToNextSleeper() == .seconds(10))
        await #expect(throws: NetworkError.self) { try await call.value }
    }
    // end

    // sample: model
    struct Greeting {
        let client: any HTTPClientContract

        func text() async throws -> String {
            let user: User = try await client.request(.get("/me"))
            return "Hello, \(user.firstName)!"
        }
    }

    @Test func `a greeting has the name in it`() async throws {
        let client = HTTPClientMock(.value(User(id: 7, firstName: "Ada")))
        #expect(try await Greeting(client: client).text() == "Hello, Ada!")
        #expect(client.endpoints == [.get("/me")])
    }
    // end

    @Test func `the article's samples are the ones that compile here`() throws {
        let here = URL(fileURLWithPath: #filePath)
        let folder = here.appendingPathComponent("../../../Sources/NetworkEngineTesting/NetworkEngineTesting.docc")
        let article = try String(
            contentsOf: folder.standardized.appendingPathComponent("YourFirstTest.md"), encoding: .utf8)
        let blocks = article.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        let samples = try String(contentsOf: here, encoding: .utf8).samples
        #expect(samples.count == 7)
        #expect(blocks == samples.map { "swift\n\($0)\n" })
    }
}

extension String {
    /// The text between `// sample:` and `// end`, without its common indent.
    fileprivate var samples: [String] {
        components(separatedBy: "\n    // sample: ").dropFirst().compactMap { part in
            guard let end = part.range(of: "\n    // end"), let start = part.firstIndex(of: "\n") else { return nil }
            let lines = part[start..<end.lowerBound].split(separator: "\n", omittingEmptySubsequences: false)
                .dropFirst()
            return lines.map { $0.hasPrefix("    ") ? String($0.dropFirst(4)) : String($0) }.joined(separator: "\n")
        }
    }
}

extension Bundle {
    /// The fixtures' bundle, instead of a target's resources.
    fileprivate static var module: Bundle { Fixtures.bundle }
}
