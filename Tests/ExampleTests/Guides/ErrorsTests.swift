import Foundation
import NetworkEngine
import NetworkEngineTesting
import TestSupport
import Testing

/// The samples of “Errors”.
@Suite(.timeLimit(.minutes(5))) struct ErrorsTests {
    private enum UserAPI: TargetType {
        case user(Int)

        var baseURL: URL { api }
        var path: String { "/users" }
    }

    private func failing(_ answer: MockAnswer) -> NetworkProvider<UserAPI> { makeProvider(MockTransport(answer)) }

    @Test(arguments: [("missing", MockAnswer.status(404)), ("busy", .status(503)), ("later", .failure(.offline))])
    func `a switch distinguishes kinds and statuses`(expected: String, answer: MockAnswer) async throws {
        let users = failing(answer)
        var shown = ""
        func show(_ text: String) { shown = text }
        func show(_ user: User) {}
        // sample
        do {
            show(try await users.request(.user(7)) as User)
        } catch {
            switch error.kind {
            case .cancelled: break  // the user has left the screen
            case .offline, .connection, .timeout: show("later")
            case .status where error.statusName == .notFound: show("missing")
            case .status: show(error.statusCode == 503 ? "busy" : "refused")
            default: show(error.localizedDescription)
            }
        }
        // end
        #expect(shown == expected)
    }

    @Test func `every kind is in the table of the article`() throws {
        let article = try Self.article
        for kind in NetworkErrorKind.allCases {
            #expect(article.contains("| ``NetworkErrorKind/\(kind)`` |"), "\(kind)")
        }
    }

    @Test func `an error knows what happened`() async throws {
        let users = failing(.status(503, headers: ["Retry-After": "9"], body: "busy"))
        var (shown, logged): ([String?], String) = ([], "")
        func show(_ texts: String?...) { shown = texts }
        func log(_ text: String) { logged = text }
        // sample
        do {
            try await users.request(.user(7))
        } catch {
            show(error.request?.url.path, error.response?.headers["Retry-After"], error.reason)
            log("\(error), attempts: \(error.attempts.count)")
        }
        // end
        #expect(shown.prefix(2) == ["/users", "9"] && logged.hasSuffix("attempts: 1") && !logged.contains("busy"))
    }

    @Test func `an error has its figures apart from its reason`() async throws {
        let users = failing(.failure(.timeout(.response)))
        var logged: (reason: String, figures: ErrorFigures)?
        func log(_ reason: String, _ figures: ErrorFigures) { logged = (reason, figures) }
        // sample
        do {
            try await users.request(.user(7))
        } catch {
            log(error.reason, error.figures)  // “queue 4.8 seconds, server 0.2 seconds”
        }
        // end
        #expect(logged?.reason.isEmpty == false)
    }

    // sample
    enum SignUpAPI: TypedErrorTarget {
        struct ErrorBody: Decodable, Sendable { var fields: [String: String] }
        case signUp(name: String)

        var baseURL: URL { api }
        var path: String { "/accounts" }
        var method: HTTPMethod { .post }
        var task: NetworkTask {
            switch self {
            case .signUp(let name): .requestJSONEncodable(["name": name])
            }
        }
    }
    // end

    @Test func `the body of an error is decoded`() async throws {
        let answer = MockAnswer.json(#"{"fields": {"name": "is taken"}}"#, status: 422)
        let accounts: NetworkProvider<SignUpAPI> = makeProvider(MockTransport(answer))
        var shown: [String: String] = [:]
        func show(_ messages: [String: String]) { shown = messages }
        // sample
        let target = SignUpAPI.signUp(name: "ada")
        do {
            try await accounts.request(target)
        } catch {
            show(error.body(for: target)?.fields ?? [:])
        }
        // end
        #expect(shown == ["name": "is taken"])
    }

    @Test func `problem details are read`() async throws {
        let problem =
            #"{"type": "https://example.com/name-taken", "title": "Taken", "detail": "Try ada1.", "hint": "ada1"}"#
        let answer = MockAnswer.data(Data(problem.utf8), type: "application/problem+json", status: 409)
        let users = failing(answer)
        var shown: [String?] = []
        func show(_ texts: String?...) { shown = texts }
        // sample
        do {
            try await users.request(.user(7))
        } catch {
            show(error.problem?.title, error.problem?.detail, error.problem?.member("hint", as: String.self))
        }
        // end
        #expect(shown == ["Taken", "Try ada1.", "ada1"])
    }

    @Test func `a status can be accepted`() async throws {
        let client = makeClient(MockTransport(.status(304), .status(304)))
        // sample
        var page = TypedEndpoint(.get("/page"), decoding: .custom { data, response in response.statusCode })
        page.validation = .statusCodes([200, 304])
        let status = try await client.request(page)
        // end
        #expect(status == 304)
        await #expect(throws: NetworkError.self) { try await client.send(.get("/page")) }
    }

    @Test func `the type of a response is that of the request's Accept`() async throws {
        var configuration = NetworkConfiguration()
        configuration.transport = MockTransport(
            .data(Data("<p>Welcome</p>".utf8), type: "text/html").repeating())
        // sample
        configuration.validation = .success.acceptedContentType()
        // end
        let client = HTTPClient(baseURL: api, configuration: configuration)
        await #expect(throws: NetworkError.self) {
            try await client.send(.get("/me", headers: [.accept("application/json")]))
        }
        #expect(try await client.send(.get("/me")).statusCode == 200)
    }

    // sample
    nonisolated enum SignUpError: Error, Equatable {
        case nameTaken, offline, other(String)
    }

    nonisolated struct SignUpErrors: NetworkErrorMapper {
        func map(_ error: NetworkError) -> SignUpError {
            if error.problem?.type == "https://example.com/name-taken" { return .nameTaken }
            return error.kind == .offline ? .offline : .other(error.localizedDescription)
        }
    }
    // end

    @Test func `a provider throws the errors of an app`() async {
        let users = failing(.failure(.offline))
        var shown = ""
        func show(_ text: String) { shown = text }
        // sample
        let mapped = users.mapErrors(with: SignUpErrors())
        do {
            try await mapped.request(.user(7))
        } catch .offline {
            show("offline")
        } catch {
            show("\(error)")
        }
        // end
        #expect(shown == "offline")
    }

    @Test func `a ready mapper knows what most screens distinguish`() async {
        let client = makeClient(MockTransport(.status(404)))
        var shown = ""
        func show(_ text: String) { shown = text }
        // sample
        let mapped = client.mapErrors(with: APIErrorMapper())
        do throws(APIError) {
            let _: User = try await mapped.request(.get("/users/7"))
        } catch {
            switch error {
            case .notFound: show("nobody")
            case .serverError(let code): show("\(code)")
            default: show(error.localizedDescription)
            }
        }
        // end
        #expect(shown == "nobody")
    }

    // sample
    nonisolated struct AccountErrors: NetworkErrorMapper {
        func map(_ error: NetworkError) -> SignUpError {
            let isSignIn = error.request?.method == .post && error.request?.url.path.hasSuffix("/token") == true
            return error.statusCode == 401 && isSignIn ? .other("The password is wrong.") : SignUpErrors().map(error)
        }
    }
    // end

    @Test func `a mapper sees the request that failed`() async {
        let client = makeClient(MockTransport(.status(401), .status(401))).mapErrors(with: AccountErrors())
        await #expect(throws: SignUpError.other("The password is wrong.")) { try await client.send(.post("/token")) }
        await #expect(throws: SignUpError.other("You need to sign in again.")) { try await client.send(.get("/me")) }
    }

    @Test func `a closure inside a task keeps the type of its error`() async {
        let users = failing(.status(404))
        var shown: StatusName?
        func show(_ name: StatusName?) { shown = name }
        // sample
        let result = await users.start(.user(7), as: User.self).result
        if case .failure(let error) = result { show(error.statusName) }  // a NetworkError
        // end
        #expect(shown == .notFound)
    }

    private static var article: String {
        get throws {
            let file = URL(fileURLWithPath: #filePath)
                .appendingPathComponent("../../../../Sources/NetworkEngine/NetworkEngine.docc/Errors.md")
            return try String(contentsOf: file.standardized, encoding: .utf8)
        }
    }
}
