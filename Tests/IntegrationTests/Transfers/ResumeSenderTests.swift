import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCookies
@testable import NetworkEngineTesting

/// The users of interrupted downloads: one user's file is never continued with another's bytes.
@Suite(.timeLimit(.minutes(5))) final class ResumeSenderTests {
    private static let bytes = RangeServer.bytes(300_000)

    private let folder: TemporaryFolder
    private let server: RangeServer

    init() throws {
        folder = try TemporaryFolder()
        server = try RangeServer(
            .init(data: Self.bytes, tag: nil, modified: "Tue, 15 Nov 1994 12:45:26 GMT", breaks: [100_000]))
    }

    private var destination: DownloadDestination {
        .file(at: folder.url.appendingPathComponent("out.bin"), options: .resume)
    }

    private func client(_ interceptors: [any RequestInterceptor], _ jar: CookieJar? = nil) -> HTTPClient {
        var configuration = NetworkConfiguration()
        (configuration.temporaryFolder, configuration.cookies) = (folder.url, jar)
        return HTTPClient(baseURL: server.server.url, interceptors: interceptors, configuration: configuration)
    }

    /// Downloads a file, interrupted the first time. Returns whether the second request resumes it.
    private func continues(_ client: HTTPClient, between change: () async throws -> Void) async throws -> Bool {
        await #expect(throws: NetworkError.self) { try await client.download(.get("/file.bin"), to: destination) }
        try await change()
        let file = try await client.download(.get("/file.bin"), to: destination)
        #expect(try Data(contentsOf: file) == Self.bytes)
        #expect(server.ranges.count == 2)
        return server.ranges.last.flatMap(\.self) != nil
    }

    @Test(arguments: [true, false])
    func `a download is continued by the user who began it`(isSame: Bool) async throws {
        let session = TokenRefresher(store: InMemoryCredentialStore(BearerToken("ada"))) { old, _ in old }
        let continues = try await continues(client([session])) {
            if isSame { return }
            try await session.signOut()
            try await session.signIn(BearerToken("bob"))
        }
        #expect(continues == isSame)
    }

    @Test func `an entity tag differs for each user's file, and is enough to continue a download`() async throws {
        server.content.withLock { ($0.tag, $0.modified) = ("\"v1\"", nil) }
        let session = TokenRefresher(store: InMemoryCredentialStore(BearerToken("ada"))) { old, _ in old }
        let continues = try await continues(client([session])) {
            try await session.signOut()
            try await session.signIn(BearerToken("ada again"))
        }
        #expect(continues)
    }

    @Test(arguments: [true, false])
    func `a download is continued with the same cookies`(isSame: Bool) async throws {
        let jar = CookieJar()
        let site = server.server.url
        jar.set(fromHeader: "user=ada; Path=/", for: site)
        let continues = try await continues(client([], jar)) {
            if !isSame { jar.set(fromHeader: "user=bob; Path=/", for: site) }
        }
        #expect(continues == isSame)
    }

    @Test func `a refreshed token of the same user continues the download`() async throws {
        server.content.withLock { content in
            content.breaks = [100_000, 0, 50_000]
            content.change = { $1 == 1 ? .status(401) : $0 }
        }
        let session = TokenRefresher(store: InMemoryCredentialStore(BearerToken("old", refreshToken: "r"))) { _, _ in
            BearerToken("new", refreshToken: "r")
        }
        let client = client([session])
        for _ in 0..<2 {
            await #expect(throws: NetworkError.self) { try await client.download(.get("/file.bin"), to: destination) }
        }
        let file = try await client.download(.get("/file.bin"), to: destination)
        #expect(try Data(contentsOf: file) == Self.bytes)
        #expect(server.server.requests.map { $0.headers["Authorization"] }.last == "Bearer new")
        #expect(server.ranges.map { $0 != nil } == [false, true, true, true])
    }

    @Test func `users whose sessions begin with the same credential continue no download of each other`() async throws {
        func client(of user: String) -> HTTPClient {
            let store = InMemoryCredentialStore(BearerToken("", expiresAt: .distantPast))
            return self.client([TokenRefresher(store: store) { _, _ in BearerToken(user) }])
        }
        await #expect(throws: NetworkError.self) {
            try await client(of: "ada").download(.get("/file.bin"), to: destination)
        }
        _ = try await client(of: "bob").download(.get("/file.bin"), to: destination)
        #expect(server.ranges.map { $0 != nil } == [false, false])
    }
}
