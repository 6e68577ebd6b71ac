import Foundation
import NetworkEngine
import NetworkEngineCurl
import NetworkEngineTesting
import Testing

/// The app module with a server, over both transports.
@Suite(.timeLimit(.minutes(10))) struct AppModuleServerTests {
    private nonisolated static let transports = CurlTransport.isAvailable ? ["URLSession", "libcurl"] : ["URLSession"]

    /// Runs a test against a server, as a user who has signed in.
    private func with(
        _ transport: String,
        _ respond: @escaping @Sendable (LoopbackRequest) -> LoopbackResponse,
        _ test: (ContactService, LoopbackServer) async throws -> Void
    ) async throws {
        let server = try LoopbackServer { respond($0) }
        var configuration = NetworkConfiguration()
        let (session, curl) = (URLSessionTransport(), CurlTransport())
        defer {
            session.shutdown()
            curl.shutdown()
        }
        configuration.transport = transport == "libcurl" ? curl : session
        let environment = AppEnvironment(
            server.url.appendingPathComponent("v2").absoluteString, configuration: configuration)
        let store = InMemoryCredentialStore(BearerToken("old", refreshToken: "r1"))
        try await test(ContactService(in: environment, store: store), server)
    }

    @Test(arguments: transports) func `an avatar is uploaded as a form`(transport: String) async throws {
        try await with(transport) { _ in
            .json(#"{"id": 7, "name": "Ada"}"#)
        } _: { service, server in
            let image = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
            let contact = try await service.setAvatar(image, of: 7) { _ in }
            let request = try #require(server.requests.first)
            #expect(contact.name == "Ada" && request.method == "PUT" && request.target == "/v2/contacts/7/avatar")
            #expect(request.headers["Authorization"] == "Bearer old" && request.headers["X-App-Version"] == "2.1")
            #expect(request.body.range(of: image) != nil)
        }
    }

    @Test(arguments: transports) func `an invoice is downloaded to a file`(transport: String) async throws {
        let invoice = Data("%PDF-1.7".utf8) + Data(count: 200_000)
        try await with(transport) { _ in
            .data(invoice, type: "application/pdf")
        } _: { service, _ in
            let file = try await service.invoice(of: 7).value
            defer { try? FileManager.default.removeItem(at: file) }
            #expect(try Data(contentsOf: file) == invoice)
        }
    }

    @Test(arguments: transports) func `changes arrive, and an expired token is refreshed first`(transport: String)
        async throws
    {
        try await with(transport) { request in
            if request.target.hasSuffix("/session/refresh") {
                return .json(#"{"accessToken": "new", "refreshToken": "r2", "expiresIn": 3600}"#)
            }
            guard request.headers["Authorization"] == "Bearer new" else { return .status(401) }
            return .data(
                Data("data: {\"id\": 3, \"kind\": \"deleted\"}\n\n".utf8), type: "text/event-stream")
        } _: { service, server in
            for try await change in service.changes {
                #expect(change == Contact.Change(id: 3, kind: "deleted"))
                break
            }
            let targets = server.requests.map(\.target)
            #expect(targets == ["/v2/contacts/changes", "/v2/session/refresh", "/v2/contacts/changes"])
        }
    }
}
