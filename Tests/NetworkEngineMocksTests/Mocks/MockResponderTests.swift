import Fixtures
import Foundation
import NetworkEngineGraphQL
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineMocks
@testable import NetworkEngineTesting

/// The answers of a mock target, awaited directly.
@Suite(.timeLimit(.minutes(5))) struct MockResponderTests {
    struct AppError: Error, Equatable {
        var kind: NetworkError.Kind?
        var text: String
    }

    private struct User: Decodable, Sendable, Equatable {
        var id: Int
        var firstName: String
    }
    private struct UserList: Decodable, Sendable { var users: [User] }

    private struct Target: MockRequestable {
        typealias Failure = AppError
        var mock: MockResponder<AppError>
        var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy = .convertFromSnakeCase
        var validation: ResponseValidation = .success

        static func failure(from error: NetworkError) -> AppError { AppError(kind: error.kind, text: error.reason) }
    }

    private struct AnyErrorTarget: MockRequestable {
        typealias Failure = any Error
        var mock: MockResponder<any Error>

        static func failure(from error: NetworkError) -> any Error { AppError(kind: error.kind, text: "mapped") }
    }

    private func target(
        _ fixture: String,
        keys: JSONDecoder.KeyDecodingStrategy = .convertFromSnakeCase,
        _ change: (inout MockResponder<AppError>) -> Void = { _ in }
    ) -> Target {
        var mock = MockResponder<AppError>(fixture: fixture, in: .bundle(Fixtures.bundle))
        change(&mock)
        return Target(mock: mock, keyDecodingStrategy: keys)
    }

    @Test(arguments: ["UserListResponse", "UserListResponse.json"])
    func `a fixture of ten is decoded with the target's strategy, in both styles`(name: String) async throws {
        let target = target(name)
        let awaited = try await target.request(type: UserList.self).users
        #expect(awaited.count == 10 && awaited.first == User(id: 1, firstName: "Ada"))
        let called = await withCheckedContinuation { continuation in
            target.request(type: UserList.self, callback: { continuation.resume(returning: $0) })
        }
        #expect(try called.get().users == awaited)
        let onMain = await withCheckedContinuation { continuation in
            target.request(
                type: UserList.self,
                onMain: { result in
                    MainActor.assertIsolated()
                    continuation.resume(returning: result)
                })
        }
        #expect(try onMain.get().users == awaited)
    }

    @Test func `data is the bytes of the fixture`() async throws {
        #expect(try await target("User").request(type: Data.self) == Fixtures.data("User"))
    }

    @Test func `a fixture that is a body passes the custom checks of the validation alone`() async throws {
        let mock = target("User").mock
        let accepting = Target(mock: mock, validation: .statusCodes([201]).contentType("text/csv").custom { _ in })
        #expect(try await accepting.request(type: User.self).id == 7)
        let refusing = Target(mock: mock, validation: .custom { _ in throw NetworkError(kind: .limit) })
        let error = await #expect(throws: AppError.self) { try await refusing.request(type: User.self) }
        #expect(error?.kind == .limit)
        await #expect(throws: AppError.self) { try await refusing.request(type: Data.self) }
    }

    @Test func `an invalid fixture is an error with file and coding path`() async throws {
        let error = await #expect(throws: AppError.self) {
            try await target("UserListResponse", keys: .useDefaultKeys).request(type: UserList.self)
        }
        #expect(error?.kind == .decoding)
        #expect(error?.text.contains("UserListResponse.json:5: users[0]: there is no \"firstName\"") == true)
    }

    @Test func `a missing fixture is an error with its name`() async {
        let error = await #expect(throws: AppError.self) { try await target("Nobody").request(type: User.self) }
        #expect(error?.text.hasPrefix("fixture Nobody: not found in ") == true)
    }

    @Test(arguments: ["User", "Nobody"])
    func `the configured error has priority over the fixture`(name: String) async {
        let failure = AppError(text: "thrown")
        let target = target(name) { $0.errorToThrow = failure }
        await #expect(throws: failure) { try await target.request(type: User.self) }
        let called = await withCheckedContinuation { continuation in
            target.request(type: User.self, callback: { continuation.resume(returning: $0) })
        }
        #expect(called == .failure(failure))
    }

    @Test(arguments: [nil, AppError(text: "thrown")])
    func `no result arrives before the delay is over`(failure: AppError?) async throws {
        let clock = TestClock()
        let target = target("User") {
            $0.delay = .seconds(2)
            $0.errorToThrow = failure
            $0.clock = clock
        }
        let task = Task { try await target.request(type: User.self) }
        await clock.untilSleeping()
        #expect(clock.pendingSleepers.map(\.offset) == [.seconds(2)])
        clock.advance(by: .seconds(2))
        let result = await task.result
        #expect((try? result.get().id) == (failure == nil ? 7 : nil))
    }

    @Test func `a canceled task throws the app's error for it, before the error to throw`() async {
        let clock = TestClock()
        let target = target("User") {
            $0.delay = .seconds(2)
            $0.errorToThrow = AppError(text: "thrown")
            $0.clock = clock
        }
        let task = Task { try await target.request(type: User.self) }
        await clock.untilSleeping()
        task.cancel()
        await #expect(throws: AppError(kind: .cancelled, text: "")) { try await task.value }
    }

    @Test func `a target that throws any error throws the app's errors`() async {
        let missing = AnyErrorTarget(mock: MockResponder(fixture: "Nobody", in: .bundle(Fixtures.bundle)))
        await #expect(throws: AppError(kind: .decoding, text: "mapped")) { try await missing.request(type: User.self) }

        let clock = TestClock()
        var mock = MockResponder<any Error>(fixture: "User", in: .bundle(Fixtures.bundle))
        (mock.delay, mock.clock) = (.seconds(2), clock)
        let slow = AnyErrorTarget(mock: mock)
        let task = Task { try await slow.request(type: User.self) }
        await clock.untilSleeping()
        task.cancel()
        await #expect(throws: AppError(kind: .cancelled, text: "mapped")) { try await task.value }

        mock.delay = .zero
        mock.errorToThrow = AppError(text: "thrown")
        let failing = AnyErrorTarget(mock: mock)
        await #expect(throws: AppError(text: "thrown")) { try await failing.request(type: User.self) }
    }

    @Test(arguments: [true, false])
    func `a canceled request calls back once with the app's error for it`(isOnMain: Bool) async {
        let clock = TestClock()
        let target = target("User") { ($0.delay, $0.clock) = (.seconds(2), clock) }
        let (results, source) = AsyncStream.makeStream(of: Result<User, AppError>.self)
        let request =
            isOnMain
            ? target.request(type: User.self, onMain: { source.yield($0) })
            : target.request(type: User.self, callback: { source.yield($0) })
        await clock.untilSleeping()
        request.cancel()
        var iterator = results.makeAsyncIterator()
        #expect(await iterator.next() == .failure(AppError(kind: .cancelled, text: "")))
        #expect(request.isCancelled)
    }

    private struct Event: Decodable, Sendable, Equatable { var startsAt: Date }

    @Test(arguments: ["Event.json", "Event.response.json"])
    func `the loader's decoder decodes for targets and clients`(name: String) async throws {
        let body = #"{"starts_at": "2025-01-01T00:00:00Z"}"#
        let folder = try TemporaryFolder([name: name == "Event.json" ? body : #"{"body": \#(body)}"#])
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let loader = FixtureLoader.folder(folder.url, decoder: decoder)
        let event = Event(startsAt: Date(timeIntervalSince1970: 1_735_689_600))
        #expect(try await target("Event") { $0.loader = loader }.request(type: Event.self) == event)

        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let fixtures = FixtureLoader.folder(folder.url, decoder: decoder)
        let plain = target("Event", keys: .useDefaultKeys) { $0.loader = fixtures }
        #expect(try await plain.request(type: Event.self) == event)
        let client = HTTPClientMock(otherwise: .fixture("Event", in: fixtures))
        #expect(try await client.request(.get("/event")) == event)
        let typed = TypedEndpoint<Event>(.get("/event"))
        #expect(try await client.request(typed) == event)
    }

    @Test func `the loader's decoder decodes the data of a GraphQL client`() async throws {
        let folder = try TemporaryFolder(["Event.json": #"{"startsAt": "2025-01-01T00:00:00Z"}"#])
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let client = GraphQLClientMock(
            otherwise: .data(fixture: "Event", in: .folder(folder.url, decoder: decoder)))
        let event: Event = try await client.execute(GraphQLOperation(document: "{ startsAt }"))
        #expect(event == Event(startsAt: Date(timeIntervalSince1970: 1_735_689_600)))
    }

    @Test func `an answer that cannot be decoded is reported with its reason`() async throws {
        let lines = Locked<[String]>([])
        await MockNotice.$report.withValue({ line in lines.withLock { $0.append(line) } }) {
            _ = try? await target("UserListResponse", keys: .useDefaultKeys).request(type: UserList.self)
            let _: User? = try? await HTTPClientMock(.json(#"{"id": "x"}"#)).request(.get("/user"))
            let _: User? = try? await GraphQLClientMock(.data(#"{"id": "x"}"#)).execute(
                GraphQLOperation(document: "{ id }"))
            _ = try? await HTTPClientMock(.status(500)).request(.get("/user")) as User
        }
        let found = lines.withLock { $0 }
        #expect(found.count == 3 && found.allSatisfy { $0.hasPrefix("NetworkEngineMocks: ") })
        #expect(found.first?.contains("UserListResponse.json:5: users[0]: there is no \"firstName\"") == true)
        #expect(found.dropFirst().allSatisfy { $0.contains("id") })
    }

    @Test func `placeholders of a fixture are filled with values`() async throws {
        let folder = try TemporaryFolder(["User.json": #"{"id": {{id}}, "first_name": "{{name}}"}"#])
        let target = target("User") {
            $0.loader = .folder(folder.url)
            $0.values = ["id": "7", "name": "Ada"]
        }
        #expect(try await target.request(type: User.self) == User(id: 7, firstName: "Ada"))
    }

    @Test func `a fixture with a status and a delay is validated and delayed`() async throws {
        let text = #"{"status": 404, "delay": 2, "body": {"why": "gone"}}"#
        let folder = try TemporaryFolder(["Gone.response.json": text])
        let clock = TestClock()
        let target = target("Gone") { ($0.loader, $0.clock) = (.folder(folder.url), clock) }
        let call = Task { try await target.request(type: User.self) }
        #expect(await clock.advanceToNextSleeper() == .seconds(2))
        let error = await #expect(throws: AppError.self) { try await call.value }
        #expect(error?.kind == .status)
    }
}
