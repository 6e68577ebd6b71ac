import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineDigest
@testable import NetworkEngineTesting

/// Authentication that a cassette records and plays.
@Suite(.timeLimit(.minutes(5))) struct DigestCassetteTests: ~Copyable {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder([:])
        file = folder.url.appendingPathComponent("a.har")
    }

    private func client(
        _ mode: CassetteMode, over live: any Transport = MockTransport(), _ interceptors: [any RequestInterceptor]
    ) throws -> HTTPClient {
        var configuration = NetworkConfiguration()
        configuration.transport = try Cassette(file: file, mode: mode).transport(over: live)
        let base = try #require(URL(string: "https://api.test"))
        return HTTPClient(baseURL: base, interceptors: interceptors, configuration: configuration)
    }

    private var digest: DigestAuth { DigestAuth(username: "ada", password: "pa ss") }

    @Test(arguments: [(false, false), (true, false), (false, true), (true, true)])
    func `a recorded Digest call plays back as it was`(proves: Bool, sendsNextNonce: Bool) async throws {
        let rig = DigestRig { ($0.proves, $0.sendsNextNonce) = (proves, sendsNextNonce) }
        let recorder = try client(.once, over: rig.mock, [digest])
        for path: EndpointPath in ["/a", "/b"] { #expect(try await recorder.send(.get(path)).statusCode == 200) }
        let player = try client(.none, [digest])
        for path: EndpointPath in ["/a", "/b"] { #expect(try await player.send(.get(path)).statusCode == 200) }
        #expect(rig.mock.requests.count == 3)
    }

    @Test func `a recorded proof for another client is not checked`() async throws {
        let challenge = #"{"name": "WWW-Authenticate", "value": "Digest realm=\"r\", nonce=\"n\", qop=\"auth\""}"#
        let proof = #"{"name": "Authentication-Info", "value": "qop=auth, rspauth=\"0a1b\""}"#
        let request = #""request": {"method": "GET", "url": "https://api.test/a"}"#
        let entries = [(401, challenge), (200, proof)].map { status, field in
            #"{\#(request), "response": {"status": \#(status), "headers": [\#(field)]}}"#
        }
        try Data(#"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#.utf8).write(to: file)
        #expect(try await client(.none, [digest]).send(.get("/a")).statusCode == 200)
    }

    @Test func `a refused scope plays back without a refresh`() async throws {
        let refreshes = Locked(0)
        let live = MockTransport(
            .status(401, headers: ["WWW-Authenticate": #"Bearer realm="a", error="insufficient_scope""#]).repeating())
        for mode in [CassetteMode.once, .none] {
            let store = InMemoryCredentialStore(BearerToken("old", refreshToken: "r"))
            let refresher = TokenRefresher(store: store) { _, _ in
                refreshes.withLock { $0 += 1 }
                return BearerToken("new", refreshToken: "r")
            }
            let client = try client(mode, over: live, [refresher])
            await #expect(throws: NetworkError.self) { try await client.send(.get("/a")) }
        }
        #expect(refreshes.withLock { $0 } == 0 && live.requests.count == 1)
    }
}
