import Foundation
import NetworkEngineStreams
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Every way to call a client throws the app's errors.
@Suite(.timeLimit(.minutes(5))) struct MappedHTTPClientTests {
    private struct User: Codable, Equatable, Sendable { var id = 7 }

    private var gone: any NetworkCalling<Endpoint, APIError> {
        HTTPClient(MockTransport(MockAnswer.status(404).repeating())).mapErrors(with: APIErrorMapper())
    }

    @Test func `awaited calls throw the mapped error`() async {
        let users = gone
        let endpoint = Endpoint.post("/users")
        let typed = TypedEndpoint<User>(endpoint)
        await #expect(throws: APIError.notFound) { let _: User = try await users.request(endpoint) }
        await #expect(throws: APIError.notFound) { let _: Data = try await users.request(endpoint) }
        await #expect(throws: APIError.notFound) { try await users.request(endpoint, as: User.self) }
        await #expect(throws: APIError.notFound) { try await users.request(endpoint, decoding: .string) }
        await #expect(throws: APIError.notFound) { let _: User = try await users.request(endpoint.json(User())) }
        await #expect(throws: APIError.notFound) { try await users.request(endpoint.json(User())) }
        await #expect(throws: APIError.notFound) { try await users.request(endpoint.body(.data(Data("x".utf8)))) }
        await #expect(throws: APIError.notFound) { try await users.request(typed) }
        await #expect(throws: APIError.notFound) { try await users.string(endpoint) }
        await #expect(throws: APIError.notFound) {
            try await users.startUpload(endpoint.multipart([.text("a", name: "b")]), as: User.self).value
        }
        await #expect(throws: APIError.notFound) { try await users.response(endpoint, as: User.self) }
        await #expect(throws: APIError.notFound) { try await users.send(endpoint) }
        await #expect(throws: APIError.notFound) { _ = try await users.stream(endpoint) }
        await #expect(throws: APIError.notFound) { try await users.start(typed).value }
        await #expect(throws: APIError.notFound) { for try await _ in users.events(endpoint) {} }
        await #expect(throws: APIError.notFound) { for try await _ in users.events(endpoint, as: User.self) {} }
    }

    @Test func `a callback receives the mapped error`() async {
        let users = gone
        let error = await withCheckedContinuation { waiter in
            users.request(TypedEndpoint<User>(.get("/"))) { waiter.resume(returning: $0.error) }
        }
        #expect(error == .notFound)
        let text = await withCheckedContinuation { waiter in
            users.string(.get("/")) { waiter.resume(returning: $0.error) }
        }
        let file = await withCheckedContinuation { waiter in
            users.download(.get("/"), queue: .global()) { waiter.resume(returning: $0.error) }
        }
        let upload = await withCheckedContinuation { waiter in
            users.upload(.post("/").multipart([.text("a", name: "b")]), as: User.self) {
                waiter.resume(returning: $0.error)
            }
        }
        #expect([text, file, upload] == [.notFound, .notFound, .notFound])
    }

    @Test func `a data source takes a real client or its mock`() async {
        struct Users {
            let client: any NetworkCalling<Endpoint, APIError>
            func user() async throws(APIError) -> User { try await client.request(.get("/users/7")) }
        }
        let mock = HTTPClientMock(.value(User()))
        let real = HTTPClient(MockTransport(.status(404)))
        await #expect(throws: APIError.notFound) {
            try await Users(client: real.mapErrors(with: APIErrorMapper())).user()
        }
        let user = try? await Users(client: mock.mapErrors(with: APIErrorMapper())).user()
        #expect(user == User())
    }

    @Test func `a client of any kind maps the errors of bodies and events`() async {
        let client: any NetworkCalling<Endpoint, APIError> = HTTPClientMock().mapErrors(with: APIErrorMapper())
        await #expect(throws: APIError.connectionFailed) { try await client.request(.get("/").body(.data(Data()))) }
        await #expect(throws: APIError.connectionFailed) { try await client.string(.get("/")) }
        await #expect(throws: APIError.connectionFailed) { for try await _ in client.events(.get("/")) {} }
    }
}
