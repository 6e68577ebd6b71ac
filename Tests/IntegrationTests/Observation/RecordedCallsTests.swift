import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineObservation
@testable import NetworkEngineTesting

/// Records real calls through `configuration.observers`.
@Suite(.timeLimit(.minutes(5))) struct RecordedCallsTests {
    /// Makes calls of all kinds, and returns the recordings.
    private func record(
        _ wire: Wire, _ responses: [LoopbackResponse],
        _ calls: (HTTPClient) async throws -> Void
    ) async throws -> (archive: HARFile, page: String, log: [String]) {
        let (recorder, report) = (HARRecorder(), TimelineReport())
        let (messages, sink) = AsyncStream.makeStream(of: String.self)
        let logger = RequestLogger(level: .bodies) { sink.yield($0) }
        let server = try LoopbackServer()
        server.enqueue(responses)
        try await wire.withTransport { transport in
            var configuration = NetworkConfiguration()
            configuration.transport = transport
            configuration.observers = [recorder, report, logger]
            let client = HTTPClient(
                baseURL: server.url, interceptors: [RetryPolicy(backoff: .constant(.zero))],
                configuration: configuration)
            try await calls(client)
        }
        let folder = try TemporaryFolder()
        let files = (folder.url.appendingPathComponent("a.har"), folder.url.appendingPathComponent("a.html"))
        try recorder.write(to: files.0)
        try report.write(to: files.1)
        let archive = try HARFile(Data(contentsOf: files.0))
        try #require(!archive.log.entries.isEmpty, "nothing was observed")
        // The logger is asynchronous, and the call's line is its last message.
        var log: [String] = []
        for await message in messages {
            log.append(message)
            if message.contains("in ") && ["→", "←", "retries"].allSatisfy({ !message.contains($0) }) { break }
        }
        return (archive, try String(contentsOf: files.1, encoding: .utf8), log)
    }

    @Test(arguments: Wire.distinct) func `redirects and attempts are entries of an archive, with their bodies`(
        wire: Wire
    ) async throws {
        let responses: [LoopbackResponse] = [
            .status(503), .status(302, headers: ["Location": "/there?access_token=SECRET"]),
            .json(#"{"token": "SECRET"}"#),
        ]
        let (archive, page, log) = try await record(wire, responses) { client in
            try await client.send(.get("/here", headers: ["Authorization": "Bearer SECRET"]))
        }
        let entries = archive.log.entries
        #expect(entries.map(\.response.status) == [503, 302, 200])
        #expect(entries.map(\._attempt) == [1, 2, 2])
        #expect(entries.last?.response.content.text == #"{"token": "<redacted>"}"#)
        #expect(entries.allSatisfy { $0.time > 0 })
        #expect(page.contains(#""attempts":2"#) && page.contains("<title>Network timeline</title>"))
        #expect(log.contains { $0.contains("GET") && $0.contains("200 in ") && $0.contains("2 attempts") })
        for text in [page, log.joined(), String(decoding: try archive.document, as: UTF8.self)] {
            #expect(!text.contains("SECRET"), "\(text)")
        }
    }

    @Test(arguments: Wire.distinct) func `an archive has the time of sending where the transport knows it`(
        wire: Wire
    ) async throws {
        let response = LoopbackResponse.status(204).readingBody(bytesPerSecond: 64 << 20)
        let (archive, _, _) = try await record(wire, [response]) { client in
            try await client.send(.post("/x").body(Data(count: 8 << 20)))
        }
        let timings = try #require(archive.log.entries.first).timings
        #expect(wire.isCurl ? timings.send > 0 : timings.send == 0, "\(timings)")
        #expect(timings.wait >= 0 && timings.receive >= 0)
    }

    @Test(arguments: Wire.distinct) func `a failed exchange is an entry with the status 0`(wire: Wire) async throws {
        let (archive, _, log) = try await record(wire, [.fault(.close)]) { client in
            _ = await #expect(throws: NetworkError.self) { try await client.send(.post("/x").body(Data("a".utf8))) }
        }
        #expect(archive.log.entries.map(\.response.status) == [0])
        #expect(archive.log.entries.first?.response._error != nil)
        #expect(log.contains { $0.contains("failed in ") })
    }
}
