import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Uploads and downloads of a client without targets, over every transport.
@Suite(.timeLimit(.minutes(5))) final class ClientTransferTests {
    private static let bytes = RangeServer.bytes(300_000)
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func client(_ server: LoopbackServer, _ transport: any Transport) -> HTTPClient {
        var configuration = NetworkConfiguration()
        (configuration.transport, configuration.temporaryFolder) = (transport, folder.url)
        return HTTPClient(baseURL: server.url, configuration: configuration)
    }

    private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? [] }

    @Test(arguments: Wire.distinct) func `a download reports its progress and is placed complete`(_ wire: Wire)
        async throws
    {
        let server = try RangeServer(.init(data: Self.bytes))
        let place = folder.url.appendingPathComponent("out/report.bin")
        try await wire.withTransport { transport in
            let last = Locked<TransferProgress?>(nil)
            let file = try await client(server.server, transport).download(.get("/file.bin"), to: .file(at: place)) {
                report in
                last.withLock { $0 = report }
            }
            #expect(
                file == place && last.withLock { $0?.completed } == 300_000 && last.withLock { $0?.total } == 300_000)
        }
        #expect(try Data(contentsOf: place) == Self.bytes && names == ["out"])
    }

    @Test(arguments: Wire.distinct) func `a download continues from resume data`(_ wire: Wire) async throws {
        let gate = LoopbackBarrier()
        var content = RangeServer.Content(data: Self.bytes)
        content.change = { $1 == 0 ? $0.held(by: gate, at: .responseBody(afterBytes: 100_000)) : $0 }
        let server = try RangeServer(content)
        try await wire.withTransport { transport in
            let client = client(server.server, transport)
            let handle = client.startDownload(.get("/file.bin"))
            for await report in handle.progress where report.completed >= 50_000 { break }
            let data = try #require(await handle.cancelProducingResumeData())
            let file = try await client.download(.get("/file.bin"), resuming: data)
            #expect(try Data(contentsOf: file) == Self.bytes)
            #expect(server.ranges.count == 2 && server.ranges[1] != nil && names == [file.lastPathComponent])
        }
    }

    @Test(arguments: Wire.distinct) func `a paused download continues with the rest`(_ wire: Wire) async throws {
        let gate = LoopbackBarrier()
        var content = RangeServer.Content(data: Self.bytes)
        content.change = { $1 == 0 ? $0.held(by: gate, at: .responseBody(afterBytes: 100_000)) : $0 }
        let server = try RangeServer(content)
        try await wire.withTransport { transport in
            let handle = client(server.server, transport).startDownload(.get("/file.bin"))
            for await report in handle.progress where report.completed >= 50_000 { break }
            handle.pause()
            try await server.server.wait { $0.openConnections == 0 }
            handle.resume()
            #expect(try Data(contentsOf: await handle.value) == Self.bytes)
        }
        #expect(server.ranges.count == 2 && server.ranges[1] != nil)
    }

    @Test(arguments: Wire.distinct) func `a failed or canceled download leaves no file`(_ wire: Wire) async throws {
        let server = try LoopbackServer()
        let gate = LoopbackBarrier()
        let long = LoopbackResponse.data(Self.bytes).held(by: gate, at: .responseBody(afterBytes: 100_000))
        server.enqueue(.status(404), long)
        try await wire.withTransport { transport in
            let client = client(server, transport)
            let error = await #expect(throws: NetworkError.self) { try await client.download(.get("/a")) }
            #expect(error?.statusCode == 404)
            let handle = client.startDownload(.get("/b"))
            for await report in handle.progress where report.completed >= 50_000 { break }
            handle.cancel()
            let result = await handle.result
            #expect(throws: NetworkError.self) { try result.get() }
            // Returns once the download has removed its file.
            let data = await handle.cancelProducingResumeData()
            #expect(data == nil)
        }
        #expect(names == [])
    }

    @Test(arguments: Wire.distinct) func `an upload reports the bytes that were sent`(_ wire: Wire) async throws {
        let server = try LoopbackServer { _ in .json(#"{"id": 7}"#) }
        let file = try folder.file("a.bin", String(repeating: "x", count: 200_000))
        try await wire.withTransport { transport in
            let last = Locked<TransferProgress?>(nil)
            let client = client(server, transport)
            let answer = try await client.upload(.put("/inbox").file(file), as: [String: Int].self) { report in
                last.withLock { $0 = report }
            }
            #expect(answer == ["id": 7] && last.withLock { $0?.completed } == 200_000)
            try await client.upload(.post("/form").multipart([.text("Ada", name: "name"), .json([1], name: "list")]))
        }
        let requests = try await server.requests(atLeast: 2)
        #expect(requests.map(\.method) == [.put, .post] && requests.first?.bodyCount == 200_000)
        #expect(requests.last?.text.contains("name=\"list\"\r\nContent-Type: application/json\r\n\r\n[1]\r\n") == true)
    }
}
