import Foundation
import NetworkEngine
import NetworkEngineTesting
import Testing

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
