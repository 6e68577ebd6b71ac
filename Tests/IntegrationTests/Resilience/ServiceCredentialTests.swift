import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// The credential that a service obtains, over sockets.
@Suite(.timeLimit(.minutes(5))) struct ServiceCredentialTests {
    private struct Tokens: Decodable { let token: String }

    /// A server with a scripted token endpoint, which accepts only the last token.
    private struct Service {
        let clock = TestClock()
        let issued = Locked(0)
        let refusal = Locked<LoopbackResponse?>(nil)
        let asked = Tally()
        let server: LoopbackServer

        init() throws {
            server = try LoopbackServer { [issued, refusal, asked] request in
                if request.path == "/token" {
                    asked.add()
                    if let refusal = refusal.withLock({ $0 }) { return refusal }
                    let number = issued.withLock { issued in
                        issued += 1
                        return issued
                    }
                    return .json(#"{"token": "t\#(number)"}"#)
                }
                let last = issued.withLock { $0 }
                return .status(request.headers["Authorization"] == "Bearer t\(last)" ? 200 : 401)
            }
        }

        func client(_ transport: any Transport) -> HTTPClient {
            var options = RefreshOptions()
            options.clock = clock
            let address = server.url.appendingPathComponent("token")
            let tokens = TokenRefresher(options: options) { context in
                let answer = try await context.send(HTTPRequest(method: .post, url: address))
                return BearerToken(try JSONDecoder().decode(Tokens.self, from: answer.data).token)
            }
            var configuration = NetworkConfiguration()
            configuration.transport = transport
            return HTTPClient(
                baseURL: server.url, interceptors: .recommended(credential: tokens), configuration: configuration)
        }
    }

    private func errors(of client: HTTPClient, _ count: Int) async -> [NetworkError] {
        await withTaskGroup(of: NetworkError?.self) { group in
            for _ in 0..<count {
                group.addTask {
                    do throws(NetworkError) {
                        try await client.send(.get("/things"))
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: []) { if let error = $1 { $0.append(error) } }
        }
    }

    @Test(arguments: Wire.distinct)
    func `a hundred calls obtain one credential, and another when it is rejected`(wire: Wire) async throws {
        let service = try Service()
        try await wire.withTransport { transport in
            let client = service.client(transport)
            #expect(await errors(of: client, 100).isEmpty)
            #expect(service.asked.count == 1)
            service.issued.withLock { $0 = 7 }
            #expect(await errors(of: client, 100).isEmpty)
            #expect(service.asked.count == 2)
        }
    }

    @Test(arguments: Wire.distinct, [401, 503])
    func `a service goes on as soon as its token endpoint does`(wire: Wire, status: Int) async throws {
        let service = try Service()
        try await wire.withTransport { transport in
            let client = service.client(transport)
            #expect(await errors(of: client, 1).isEmpty)
            service.issued.withLock { $0 = 7 }
            service.refusal.withLock { $0 = .status(status) }
            for _ in 0..<20 {
                let failed = await errors(of: client, 5)
                #expect(failed.count == 5)
                for error in failed {
                    #expect(error.kind == .authentication && !error.endsSession)
                    #expect((error.networkCause?.statusCode == 503) == (status == 503))
                    #expect(!error.localizedDescription.contains("sign in"))
                }
                service.clock.advance(by: .seconds(1))
            }
            // Twice without a pause, then after growing pauses.
            #expect(service.asked.count < 20)
            service.refusal.withLock { $0 = nil }
            service.clock.advance(by: .seconds(10))
            #expect(await errors(of: client, 5).isEmpty)
        }
    }
}
