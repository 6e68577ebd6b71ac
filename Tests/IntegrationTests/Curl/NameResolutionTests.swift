#if os(Linux)
import Foundation
@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct NameResolutionTests {
    @Test(
        .enabled("there is no unshare or ip here, or no right to make networks") {
            try await SilentNameServer.isPossible() && CurlTransport.isAvailable
        }
    )
    func `canceling and shutting down libcurl do not wait for name resolution`() async throws {
        guard SilentNameServer.isInside else {
            #expect(try await SilentNameServer.failure(of: "NameResolutionTests") == nil)
            return
        }
        let names = try SilentNameServer()
        let server = try LoopbackServer { _ in .text("ok") }
        let transport = CurlTransport()
        let clock = ContinuousClock()
        let start = clock.now
        for name in ["one", "two"] {
            let request = HTTPRequest(url: try #require(URL(string: "http://\(name).test/")))
            let task = Task { try await transport.send(request, context: TransportContext()) }
            await names.query()
            if name == "two" { transport.shutdown() }
            task.cancel()
            await #expect(throws: (any Error).self) { try await task.value }
            guard name == "one" else { continue }
            let other = try await transport.send(HTTPRequest(url: server.url), context: TransportContext())
            #expect(other.statusCode == 200)
        }
        // The name server has half a minute per query.
        #expect(clock.now - start < .seconds(15))
    }
}
#endif
