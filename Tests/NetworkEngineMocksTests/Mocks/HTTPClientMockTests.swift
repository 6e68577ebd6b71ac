import Fixtures
import Foundation
import NetworkEngineMocks
import NetworkEngineStreams
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct HTTPClientMockTests {
    private struct User: Codable, Equatable, Sendable { var id: Int }

    private func kind(_ client: HTTPClientMock, _ path: String = "/users/7") async -> NetworkError.Kind? {
        do throws(NetworkError) {
            let _: User = try await client.request(.get(path))
            return nil
        } catch {
            return error.kind
        }
    }

    @Test func `a mock gives its answers in order, then the default one`() async throws {
        let client = HTTPClientMock(.response(.status(503)), .failure(NetworkError(kind: .offline)))
        client.answer = .value(User(id: 7))
        #expect(await kind(client) == .status)
        #expect(await kind(client) == .offline)
        for _ in 1...2 { #expect(try await client.request(.get("/users/7")) == User(id: 7)) }
    }

    @Test func `endpoints are recorded, also failed ones, until a reset`() async {
        let client = HTTPClientMock(.failure(NetworkError(kind: .offline)))
        for path in ["/a", "/b"] { _ = await kind(client, path) }
        #expect(client.endpoints == [.get("/a"), .get("/b")])
        client.answer = .value(User(id: 1))
        client.reset()
        #expect(client.endpoints.isEmpty && client.answer == nil)
    }

    @Test func `a mock serves callbacks and awaited calls`() async throws {
        let client = HTTPClientMock(.value(User(id: 7)), .response(.json(#"{"id": 8}"#)))
        let first = await withCheckedContinuation { waiter in
            client.request(.get("/a"), as: User.self) { waiter.resume(returning: $0) }
        }
        let second = await withCheckedContinuation { waiter in
            client.request(.get("/b"), as: User.self, queue: .global()) { waiter.resume(returning: $0) }
        }
        #expect(try [first.get(), second.get()] == [User(id: 7), User(id: 8)])
    }

    @Test func `a mock has text, as the real client`() async throws {
        let client: any HTTPClientContract = HTTPClientMock(.text("hello"), .value("Ada"), .empty, .status(404))
        #expect(try await client.string(.get("/")) == "hello")
        #expect(try await client.string(.get("/")) == "Ada")
        #expect(try await client.string(.get("/")) == "")
        let error = await #expect(throws: NetworkError.self) { try await client.string(.get("/")) }
        #expect(error?.statusName == .notFound)
    }

    @Test func `a body is validated and decoded as in the real client`() async throws {
        let client = HTTPClientMock(.response(.json(#"{"id": "x"}"#)), .response(.status(204)), .response(.status(404)))
        #expect(await kind(client) == .decoding)
        let nobody: User? = try await client.request(.get("/"))
        let error = await #expect(throws: NetworkError.self) { let _: Data = try await client.request(.get("/")) }
        #expect(nobody == nil && error?.statusName == .notFound)
    }

    @Test func `a call without an answer or with one of another type fails with a reason`() async {
        let client = HTTPClientMock(.value("seven"))
        for reason in [
            "the mock client has a String for GET /users/7, and User was asked for",
            "the mock client has no answer for GET /users/7",
        ] {
            let error = await #expect(throws: NetworkError.self) {
                let _: User = try await client.request(.get("/users/7"))
            }
            #expect(error?.reason == reason)
        }
    }

    @Test func `a call that ignores the body succeeds with any value`() async throws {
        let client = HTTPClientMock(.value(User(id: 7)), .empty, .status(404))
        try await client.request(.delete("/users/7"))
        try await client.request(.delete("/users/7"))
        await #expect(throws: NetworkError.self) { try await client.request(.delete("/users/7")) }
        #expect(client.endpoints.count == 3)
    }

    @Test func `a call that names no type gets the JSON of a value, or nothing if there is none`() async throws {
        struct Unencodable: Decodable, Sendable {}
        let client = HTTPClientMock(.value([1, 2]), .value(Unencodable()), .value(Data("x".utf8)), .json("[3]"))
        #expect(try await client.request(.get("/")) == Data("[1,2]".utf8))
        for text in ["", "x", "[3]"] { #expect(try await client.request(.get("/")) == Data(text.utf8)) }
    }

    @Test func `data given as a value is decoded like a body`() async throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let client = HTTPClientMock(otherwise: .value(Data(#"{"first_name": "Ada"}"#.utf8)), decoder: decoder)
        struct Person: Decodable, Equatable, Sendable { var firstName: String }
        #expect(try await client.request(.get("/")) == Person(firstName: "Ada"))
        let optional: Person? = try await client.request(.get("/"))
        #expect(optional == Person(firstName: "Ada"))
        #expect(try await client.request(.get("/")) == Data(#"{"first_name": "Ada"}"#.utf8))
        client.answer = .value(Data("{".utf8))
        #expect(await kind(client) == .decoding)
        client.answer = .value(Data())
        #expect(await kind(client) == .emptyBody)
    }

    @Test func `an empty answer is nil, no bytes, or an empty list or object`() async throws {
        let client = HTTPClientMock(otherwise: .empty)
        struct Filter: Decodable, Equatable, Sendable { var text: String? }
        let nobody: User? = try await client.request(.get("/"))
        let list: [User] = try await client.request(.get("/"))
        let members: [String: User] = try await client.request(.get("/"))
        let filter: Filter = try await client.request(.get("/"))
        let bytes: Data = try await client.request(.get("/"))
        let _: EmptyBody = try await client.request(.get("/"))
        #expect(nobody == nil && list == [] && members == [:] && filter == Filter() && bytes.isEmpty)
        #expect(await kind(client) == .emptyBody)
    }

    @Test func `a silent client answers every call that has no answer`() async throws {
        let client = HTTPClientMock(.value([User(id: 7)]), otherwise: .empty)
        var counts: [Int] = []
        for path in ["/users", "/friends", "/likes"] {
            let users: [User] = try await client.request(.get(path))
            counts.append(users.count)
        }
        #expect(counts == [1, 0, 0] && client.endpoints.map(\.path) == ["/users", "/friends", "/likes"])
        client.reset()
        #expect(await kind(client) == .transport)
    }

    @Test func `the words of responses need no wrapping`() async {
        let client = HTTPClientMock(.status(404), .text("hello"), .json(User(id: 7)), .failure(.dns))
        var kinds: [NetworkError.Kind?] = []
        for _ in 1...4 { kinds.append(await kind(client)) }
        #expect(kinds == [.status, .decoding, nil, .connection])
    }

    @Test func `a fixture of a bundle is an answer`() async throws {
        let loader = FixtureLoader.bundle(Fixtures.bundle)
        let client = HTTPClientMock(.fixture("User", in: loader), .fixture("Nobody", in: loader))
        #expect(try await client.request(.get("/")) == User(id: 7))
        let error = await #expect(throws: NetworkError.self) { let _: User = try await client.request(.get("/")) }
        #expect(error?.reason.hasPrefix("fixture Nobody: not found in ") == true)
    }

    @Test func `a fixture with headers in a dictionary is decoded by its loader's decoder`() async throws {
        struct UserList: Decodable, Sendable {
            struct User: Decodable, Sendable { var firstName: String }
            var users: [User]
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let loader = FixtureLoader.bundle(Fixtures.bundle, decoder: decoder)
        let headers: [String: String] = ["X-A": "1"]
        let client = HTTPClientMock(.fixture("UserListResponse", in: loader, headers: headers))
        let list: UserList = try await client.request(.get("/"))
        #expect(list.users.first?.firstName == "Ada")
    }

    @Test func `events are the text of a response or of data, and end with an empty answer`() async throws {
        let text = Data("data: a\n\n".utf8)
        let client = HTTPClientMock(.data(text, type: "text/event-stream"), .value(text), .empty)
        var events = client.events(.get("/"))
        events.retryDelay = .zero
        var texts: [String] = []
        for try await event in events { texts.append(event.data) }
        #expect(texts == ["a", "a"])
    }

    @Test func `a hanging call ends only with its cancellation`() async {
        let clock = TestClock()
        let client = HTTPClientMock(ClientAnswer.hang.delayed(by: .seconds(3)), clock: clock)
        let call = Task { await kind(client) }
        while client.endpoints.isEmpty { await Task.yield() }
        #expect(clock.pendingSleepers.isEmpty)
        call.cancel()
        #expect(await call.value == .cancelled)
    }

    @Test func `a typed endpoint is validated, built and decoded as in the real client`() async throws {
        let client = HTTPClientMock(
            .response(.status(404, body: "none")), .value(9), .failure(NetworkError(kind: .offline)))
        var endpoint = TypedEndpoint(.get("/count"), decoding: .custom { data, response in response.statusCode })
        endpoint.validation = .statusCodes([404])
        #expect(try await client.request(endpoint) == 404)
        let contract: any HTTPClientContract = client
        #expect(try await contract.request(endpoint) == 9)
        let error = await #expect(throws: NetworkError.self) { try await contract.request(endpoint) }
        #expect(error?.kind == .offline && client.endpoints == Array(repeating: .get("/count"), count: 3))
    }

    @Test func `an endpoint that is not valid fails, also with a value as the answer`() async {
        let client = HTTPClientMock(otherwise: .value(9))
        let invalid = TypedEndpoint<Int>(.get("/x", headers: ["X-A": "a\nb"]))
        var broken = TypedEndpoint<Int>(.get("/x"))
        broken.building = { _ in throw CocoaError(.coderInvalidValue) }
        for endpoint in [invalid, broken] {
            let error = await #expect(throws: NetworkError.self) { try await client.request(endpoint) }
            #expect(error?.kind == .invalidRequest)
        }
        #expect(client.endpoints.count == 2)
    }

    @Test func `a delay is on the clock, and ends with a cancellation`() async throws {
        let clock = TestClock()
        let late = ClientAnswer.value(User(id: 7)).delayed(by: .seconds(3))
        let client = HTTPClientMock(late, late, clock: clock)
        let call = Task { () async throws -> User in try await client.request(.get("/")) }
        #expect(await clock.advanceToNextSleeper() == .seconds(3))
        #expect(try await call.value == User(id: 7))
        let lost = Task { await kind(client) }
        await clock.untilSleeping()
        lost.cancel()
        #expect(await lost.value == .cancelled)
    }

    @Test func `a thousand concurrent calls each get their own answer`() async throws {
        let client = HTTPClientMock()
        for number in 0..<1_000 { client.answers(.value(User(id: number))) }
        let ids = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<1_000 { group.addTask { (try await client.request(.get("/")) as User).id } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(ids.count == 1_000 && client.endpoints.count == 1_000)
    }
}
