import Foundation
import NetworkEngine
import NetworkEngineCurl
import NetworkEngineGraphQL
import NetworkEngineGraphQLSocket
import NetworkEngineResilience
import NetworkEngineTesting
import NetworkEngineUploads
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples on module pages, and in articles with a single sample.
@Suite(.timeLimit(.minutes(5))) struct FrontPagesTests {
    private enum UserAPI: TargetType {
        case user(Int)

        var baseURL: URL { api }
        var path: EndpointPath { if case .user(let id) = self { "/users/\(id)" } else { "" } }
    }

    private nonisolated struct UserData: Decodable, Sendable { var user: User }

    /// Uses the real network, so it's only compiled.
    private func user() async throws -> User {
        // sample
        let provider = NetworkProvider<UserAPI>(interceptors: .recommended())
        let user: User = try await provider.request(.user(7))
        // end
        return user
    }

    /// Uses the real network, so it's only compiled.
    private func userByGraphQL() async throws -> User {
        // sample
        let client = GraphQLClient(httpClient: HTTPClient(baseURL: api))
        let user: UserData = try await client.execute(GraphQLOperation(document: "{ user { name } }"))
        // end
        return user.user
    }

    private func usersByWebSocket(_ show: (User) -> Void) async throws {
        // sample
        let client = GraphQLClient(httpClient: HTTPClient(baseURL: api), subscriptions: .webSocket())
        let added = GraphQLOperation(document: "subscription { user { name } }")
        for try await result in client.subscribe(to: added, as: UserData.self) { show(result.user) }
        // end
    }

    @Test func `a transport over libcurl is part of a configuration`() {
        // sample
        var configuration = NetworkConfiguration()
        configuration.transport = CurlTransport()
        let provider = NetworkProvider<UserAPI>(configuration: configuration)
        // end
        #expect(throws: Never.self) { _ = try provider.urlRequest(for: .user(7)) }
        // sample
        configuration.transport = CurlTransport()
        // end
        #expect(configuration.transport is CurlTransport)
    }

    @Test func `a credential has its place in the recommended list`() throws {
        let refresher = TokenRefresher(store: InMemoryCredentialStore(BearerToken("t"))) { old, _ in old }
        // sample
        let provider = NetworkProvider<UserAPI>(interceptors: .recommended(credential: refresher))
        // end
        try provider.validate()
    }

    @Test func `a service has a breaker and a limit behind its credential`() throws {
        let tokens = TokenSource { "secret" }
        // sample
        let provider = NetworkProvider<UserAPI>(interceptors: .service(credential: tokens))
        // end
        try provider.validate()
        let list: [any RequestInterceptor] = .service(credential: tokens)
        #expect(list.count == 4 && list[2] is CircuitBreaker && list[3] is ConcurrencyLimit)
    }

    @Test func `a sentence is for people`() async {
        let users: NetworkProvider<UserAPI> = makeProvider(MockTransport(.status(404)))
        var shown = ""
        func showAlert(_ text: String) { shown = text }
        // sample
        do {
            try await users.request(.user(7))
        } catch {
            showAlert(error.localizedDescription)  // “The requested item could not be found.”
        }
        // end
        #expect(shown == "The requested item could not be found.")
    }

    @Test func `a transport tells what it does not take from a session`() throws {
        final class Inspector: NSObject, URLSessionTaskDelegate {}
        let (session, inspector) = (URLSession(configuration: .ephemeral), Inspector())
        defer { session.invalidateAndCancel() }
        // sample
        let transport = URLSessionTransport(session: session, observer: inspector)
        try transport.validate()  // throws if the session has settings that would be lost
        print(transport.unusedSettings)  // all of them, with what applies instead
        // end
        #expect(!transport.unusedSettings.isEmpty)
    }

    private nonisolated struct Video: Decodable, Sendable { var length: Int }

    @Test func `an upload resumes, and a forgotten one begins again`() async throws {
        let storage = try TemporaryFolder()
        let folder = storage.url
        defer { withExtendedLifetime(storage) {} }
        let file = try storage.file("film.mov", "a film")
        func server(_ version: Int) throws -> (LoopbackServer, HTTPClient, LoopbackUploads) {
            let uploads = LoopbackUploads(.draft(version: version), at: "/videos", folder: folder)
            let server = try LoopbackServer(early: uploads.response) { _ in .status(404) }
            return (server, HTTPClient(baseURL: server.url), uploads)
        }
        func newest(_ client: HTTPClient, _ show: @escaping @Sendable (Double) -> Void) async throws -> (
            UploadStateStore, Video
        ) {
            // sample
            let state = UploadStateStore.file(at: folder.appendingPathComponent("video.upload"))
            let video: Video = try await client.upload(.post("/videos").file(file), resuming: state) { progress in
                show(progress.fraction ?? 0)
            }
            // end
            return (state, video)
        }
        let (new, client, _) = try server(6)
        let shown = Locked<[Double]>([])
        let (state, video) = try await newest(client) { fraction in shown.withLock { $0.append(fraction) } }
        #expect(video.length == 6 && shown.withLock { $0.last } == 1)
        new.stop()

        func older(_ client: HTTPClient) async throws {
            // sample
            var options = ResumableUploadOptions()
            options.uploadProtocol = .draft(version: 3)
            options.pieceSize = 16 << 20  // for a proxy that collects whole requests
            try await client.upload(.post("/videos").file(file), resuming: state, options: options)
            // end
        }
        let (old, oldClient, uploads) = try server(3)
        try await older(oldClient)
        #expect(uploads.all.count == 1)
        old.stop()

        let (last, lastClient, forgetful) = try server(6)
        try await again(lastClient, file, state)
        #expect(forgetful.all.count == 1)
        last.stop()
    }

    @Test func `an upload that is not continued is removed`() async throws {
        let storage = try TemporaryFolder()
        defer { withExtendedLifetime(storage) {} }
        let uploads = LoopbackUploads(.tus, at: "/videos", folder: storage.url)
        let mock = MockTransport()
        mock.on(.patch).answers(.status(400))
        mock.on().answers(uploads.answer)
        let client = makeClient(mock)
        let state = UploadStateStore.file(at: storage.url.appendingPathComponent("video.upload"))
        let file = try storage.file("film.mov", "a film")
        var options = ResumableUploadOptions()
        options.uploadProtocol = .tus
        await #expect(throws: NetworkError.self) {
            try await client.upload(.post("/videos").file(file), resuming: state, options: options)
        }
        #expect(uploads.all.count == 1)
        // sample
        try await client.discardUpload(.post("/videos"), resuming: state)
        // end
        #expect(uploads.all.isEmpty)
    }

    private func again(_ client: HTTPClient, _ file: URL, _ state: UploadStateStore) async throws {
        // sample
        do throws(NetworkError) {
            try await client.upload(.post("/videos").file(file), resuming: state)
        } catch {
            switch error.underlying as? UploadFailure {
            case .forgotten, .contentChanged, .offsetWentBack, .contradictoryRecord:
                try await client.upload(.post("/videos").file(file), resuming: state)  // from the beginning
            default: throw error
            }
        }
        // end
    }
}
