import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Clients with the settings of an app's existing session.
@Suite(.timeLimit(.minutes(5))) struct SessionClientTests {
    private struct Person: Decodable, Equatable { var firstName: String }

    private func shutDown(_ client: HTTPClient) {
        (client.engine.configuration.transport as? URLSessionTransport)?.shutdown()
    }

    @Test func `a client has the headers of its session and the given decoder, in each style`() async throws {
        let server = try LoopbackServer { _ in .json(#"{"first_name": "Ada"}"#) }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-App": "notes"]
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let client = HTTPClient(
            baseURL: server.url, session: URLSession(configuration: configuration), decoder: decoder)
        defer { shutDown(client) }
        try client.validate()
        let person: Person = try await client.request(.get("/me"))
        let called = await withCheckedContinuation { waiter in
            client.request(.get("/me"), as: Person.self) { waiter.resume(returning: $0) }
        }
        let onQueue = await withCheckedContinuation { waiter in
            client.request(.get("/me"), as: Person.self, queue: .global()) { waiter.resume(returning: $0) }
        }
        let started = try await client.start(.get("/me"), as: Person.self).value
        #expect(try [person, called.get(), onQueue.get(), started].allSatisfy { $0 == Person(firstName: "Ada") })
        #expect(server.requests.count == 4 && server.requests.allSatisfy { $0.headers["X-App"] == "notes" })
    }

    @Test func `a client runs the interceptors beside its session`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let session = URLSession(configuration: .ephemeral)
        let client = HTTPClient(
            baseURL: server.url, session: session,
            interceptors: [APIKeyAuth(key: "k", in: .header("X-Key"), origins: [server.url])])
        defer { shutDown(client) }
        #expect(try await client.request(.get("/")) == Data("ok".utf8))
        #expect(server.requests.first?.headers["X-Key"] == "k")
    }

    @Test func `a client has the timeouts of its session`() throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 5
        configuration.timeoutIntervalForResource = 90
        let client = HTTPClient(baseURL: API.base, session: URLSession(configuration: configuration))
        try client.validate()
        #expect(client.engine.configuration.timeout == .seconds(5))
        #expect(client.engine.configuration.deadline == .seconds(90))
        configuration.timeoutIntervalForRequest = .infinity
        let patient = HTTPClient(baseURL: API.base, session: URLSession(configuration: configuration))
        #expect(patient.engine.configuration.timeout == .seconds(604_800))
        let standard = HTTPClient(baseURL: API.base, session: .shared)
        try standard.validate()
        #expect(standard.engine.configuration.timeout == .seconds(60))
        #expect(standard.engine.configuration.deadline == nil)
    }

    @Test func `the time for a whole task of a session ends a call`() async throws {
        let server = try LoopbackServer { _ in .hang }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForResource = 0.05
        let client = HTTPClient(baseURL: server.url, session: URLSession(configuration: configuration))
        defer { shutDown(client) }
        let error = await #expect(throws: NetworkError.self) { try await client.request(.get("/")) }
        #expect(error?.kind == .timeout)
    }

    @Test func `validate refuses a session with its own delegate, and settings without an effect`() {
        final class Delegate: NSObject, URLSessionTaskDelegate {}
        let session = URLSession(configuration: .ephemeral, delegate: Delegate(), delegateQueue: nil)
        defer { session.invalidateAndCancel() }
        let client = HTTPClient(baseURL: API.base, session: session)
        let error = #expect(throws: NetworkError.self) { try client.validate() }
        #expect(error?.kind == .unsupported && error?.reason.contains("delegate: ") == true)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.requestCachePolicy = .returnCacheDataElseLoad
        let cached = HTTPClient(baseURL: API.base, session: URLSession(configuration: configuration))
        let refusal = #expect(throws: NetworkError.self) { try cached.validate() }
        #expect(refusal?.reason.contains("requestCachePolicy: ") == true)
    }
}
