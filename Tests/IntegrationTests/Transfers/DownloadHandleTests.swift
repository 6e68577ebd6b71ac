import Foundation
import NetworkEngine
import NetworkEngineTesting
import TestSupport
import Testing

/// Downloads that are held up, taken up again, and carried over to another call.
@Suite(.timeLimit(.minutes(5))) final class DownloadHandleTests {
    private static let bytes = RangeServer.bytes(300_000)
    private let folder: TemporaryFolder
    private let gate = LoopbackBarrier()

    init() throws { folder = try TemporaryFolder() }

    private var provider: NetworkProvider<FileTarget> {
        var configuration = NetworkConfiguration()
        configuration.temporaryFolder = folder.url
        return NetworkProvider(configuration: configuration)
    }

    private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? [] }

    /// Stops in the middle of its first answer.
    private func server(tag: String? = "\"v1\"") throws -> RangeServer {
        var content = RangeServer.Content(data: Self.bytes, tag: tag)
        content.change = { [gate] in $1 == 0 ? $0.held(by: gate, at: .responseBody(afterBytes: 100_000)) : $0 }
        return try RangeServer(content)
    }

    /// Starts a download, and returns when its first bytes have been written.
    private func begun(_ server: RangeServer, to destination: DownloadDestination = .temporary) async -> DownloadHandle
    {
        let handle = provider.startDownload(.download(from: server.server, to: destination))
        for await report in handle.progress where report.completed >= 50_000 { break }
        return handle
    }

    @Test func `a paused download closes its connection and continues with the rest`() async throws {
        let server = try server()
        let handle = await begun(server)
        handle.pause()
        try await server.server.wait { $0.openConnections == 0 }
        #expect(handle.isPaused && server.ranges == [nil])
        handle.resume()
        let file = try await handle.value
        #expect(try Data(contentsOf: file) == Self.bytes)
        #expect(server.ranges.count == 2 && server.ranges[1] != nil && !handle.isPaused)
        #expect(names == [file.lastPathComponent])
    }

    @Test func `a download that cannot be continued restarts after a pause`() async throws {
        let server = try server(tag: nil)
        let handle = await begun(server)
        handle.pause()
        try await server.server.wait { $0.openConnections == 0 }
        handle.resume()
        #expect(try Data(contentsOf: await handle.value) == Self.bytes)
        #expect(server.ranges == [nil, nil])
    }

    @Test func `a paused download that is canceled leaves no file`() async throws {
        let server = try server()
        let handle = await begun(server)
        handle.pause()
        try await server.server.wait { $0.openConnections == 0 }
        handle.cancel()
        #expect(await handle.result.failure?.kind == .cancelled)
        #expect(await handle.cancelProducingResumeData() == nil && handle.isCancelled)
        #expect(names == [])
    }

    @Test(arguments: [false, true])
    func `a download that is canceled with resume data continues in another call`(isPaused: Bool) async throws {
        let server = try server()
        let handle = await begun(server)
        if isPaused { handle.pause() }
        let data = try #require(await handle.cancelProducingResumeData())
        let stored = try JSONDecoder().decode(ResumeData.self, from: JSONEncoder().encode(data))
        #expect(await handle.result.failure?.kind == .cancelled)
        let file = try await provider.download(.download(from: server.server), resuming: stored)
        #expect(try Data(contentsOf: file) == Self.bytes)
        #expect(server.ranges.last ?? nil != nil && names == [file.lastPathComponent])
    }

    @Test func `a failed call keeps its resume data valid`() async throws {
        let server = try server()
        let data = try #require(await begun(server).cancelProducingResumeData())
        server.content.withLock { $0.change = { _, _ in .status(500) } }
        await #expect(throws: NetworkError.self) {
            try await provider.download(.download(from: server.server), resuming: data)
        }
        server.content.withLock { $0.change = nil }
        let file = try await provider.download(.download(from: server.server), resuming: data)
        #expect(try Data(contentsOf: file) == Self.bytes)
        #expect(server.ranges.suffix(2).allSatisfy { $0 != nil } && names == [file.lastPathComponent])
    }

    @Test func `resume data without its file restarts the download`() async throws {
        let server = try server()
        let data = try #require(await begun(server).cancelProducingResumeData())
        for name in names { try FileManager.default.removeItem(at: folder.url.appendingPathComponent(name)) }
        let file = try await provider.download(.download(from: server.server), resuming: data)
        #expect(try Data(contentsOf: file) == Self.bytes && server.ranges == [nil, nil])
    }

    @Test func `with the option to resume, the next download to the same destination continues`() async throws {
        let server = try server()
        let place = folder.url.appendingPathComponent("out/report.bin")
        let destination = DownloadDestination.file(at: place, options: [.createFolders, .resume])
        let handle = await begun(server, to: destination)
        handle.cancel()
        #expect(await handle.result.failure?.kind == .cancelled)
        #expect(await handle.cancelProducingResumeData() != nil)
        #expect(try await provider.download(.download(from: server.server, to: destination)) == place)
        #expect(try Data(contentsOf: place) == Self.bytes && server.ranges.last ?? nil != nil)
        #expect(names == ["out"])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: place.deletingLastPathComponent().path) == [
                "report.bin"
            ])
    }

    @Test func `a partial file of another address at the same destination is removed`() async throws {
        let server = try server()
        let place = folder.url.appendingPathComponent("report.bin")
        let destination = DownloadDestination.file(at: place, options: .resume)
        _ = await begun(server, to: destination).cancelProducingResumeData()
        let other = FileTarget.download(from: server.server, "/other.bin", to: destination)
        #expect(try await provider.download(other) == place)
        #expect(server.ranges == [nil, nil] && names == ["report.bin"])
    }

    @Test func `Foundation's progress follows, pauses and cancels`() async throws {
        let server = try server()
        let handle = await begun(server)
        let progress = handle.makeProgress()
        #expect(progress.totalUnitCount == 300_000 && progress.completedUnitCount >= 50_000)
        progress.pause()
        try await server.server.wait { $0.openConnections == 0 }
        #expect(handle.isPaused)
        progress.cancel()
        #expect(await handle.result.failure?.kind == .cancelled)
    }
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}
