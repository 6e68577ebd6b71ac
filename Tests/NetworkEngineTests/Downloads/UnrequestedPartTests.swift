import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// A part that the request didn't ask for isn't the resource.
@Suite(.timeLimit(.minutes(5))) struct UnrequestedPartTests {
    private func client(_ range: String) -> HTTPClient {
        HTTPClient(MockTransport(.status(206, headers: ["Content-Range": range], body: "01234")))
    }

    @Test(arguments: ["bytes 0-4/10", "bytes 5-9/10", "bytes 5-9/*"])
    func `a part that was not requested is a violation of the protocol`(range: String) async {
        let download = await #expect(throws: NetworkError.self) {
            try await client(range).download(.get("/a"), to: .temporary)
        }
        let call = await #expect(throws: NetworkError.self) { try await client(range).send(.get("/a")) }
        #expect(download?.kind == .protocolViolation && call?.kind == .protocolViolation)
        #expect(call?.statusCode == 206)
    }

    @Test func `several parts that were not requested are a violation of the protocol`() async throws {
        for type in ["multipart/byteranges; boundary=x", "Multipart/ByteRanges"] {
            let mock = MockTransport(MockAnswer.status(206, headers: ["Content-Type": type], body: "--x--").repeating())
            let client = HTTPClient(mock)
            let download = await #expect(throws: NetworkError.self) {
                try await client.download(.get("/a"), to: .temporary)
            }
            let call = await #expect(throws: NetworkError.self) { try await client.send(.get("/a")) }
            #expect(download?.kind == .protocolViolation && call?.kind == .protocolViolation)
            let asked = Endpoint.get("/a", headers: ["Range": "bytes=0-1,3-4"])
            #expect(try await client.send(asked).text == "--x--")
        }
    }

    /// Some servers page lists with the status 206, and count in items.
    @Test(arguments: ["bytes 0-4/5", "bytes 0-4/*", "0-4/10", "items 0-4/10"])
    func `a part that may be the whole is accepted`(range: String) async throws {
        #expect(try await client(range).send(.get("/a")).text == "01234")
        let file = try await client(range).download(.get("/a"), to: .temporary)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try String(contentsOf: file, encoding: .utf8) == "01234")
    }

    @Test func `a part that the caller requests is accepted`() async throws {
        let endpoint = Endpoint.get("/a", headers: ["Range": "bytes=5-9"])
        #expect(try await client("bytes 5-9/10").send(endpoint).text == "01234")
        let file = try await client("bytes 5-9/10").download(endpoint, to: .temporary)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try String(contentsOf: file, encoding: .utf8) == "01234")
    }
}
