import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Downloads that are paused, resumed, and continued by another call.
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

    /// Stops in the middle of its first response.
    private func server(tag: String? = "\"v1\"") throws -> RangeServer {
        var content = RangeServer.Content(data: Self.bytes, tag: tag)
        content.change = { [gate] in $1 == 0 ? $0.held(by: gate, at: .responseBody(afterBytes: 100_000)) : $0 }
        return try RangeServer(content)
    }

    /// Starts a download, and returns once its first bytes have been written.
    private func begun(
        _ server: RangeServer,
        _ path: String = "/file.bin",
        to destination: DownloadDestination = .temporary
    ) async -> DownloadHandle {
        let handle = provider.startDownload(.download(from: server.server, path, to: destination))
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

    private func client(of server: RangeServer) -> HTTPClient {
        var configuration = NetworkConfiguration()
        configuration.temporaryFolder = folder.url
        return HTTPClient(baseURL: server.server.url, configuration: configuration)
    }

    @Test func `a pause sends no POST again, and continues the file that it redirected to`() async throws {
        let server = try server()
        server.content.withLock { $0.redirect = { $0.method == .post ? .redirect(to: "/file.bin", status: 303) : nil } }
        let handle = client(of: server).startDownload(.post("/exports"))
        for await report in handle.progress where report.completed >= 50_000 { break }
        handle.pause()
        try await server.server.wait { $0.openConnections == 0 }
        handle.resume()
        #expect(try Data(contentsOf: await handle.value) == Self.bytes)
        #expect(server.server.requests.map(\.method) == [.post, .get, .get])
        #expect(server.ranges.last ?? nil != nil)
    }

    @Test func `a POST that answers with the file itself runs on during a pause`() async throws {
        let server = try server()
        let handle = client(of: server).startDownload(.post("/file.bin"))
        for await report in handle.progress where report.completed >= 50_000 { break }
        handle.pause()
        gate.open()
        #expect(try Data(contentsOf: await handle.value) == Self.bytes)
        #expect(server.server.requests.map(\.method) == [.post])
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

    @Test func `resume data of another path starts over, and the handle reports it`() async throws {
        let server = try server()
        let data = try #require(await begun(server).cancelProducingResumeData())
        let handle = provider.startDownload(.download(from: server.server, "/other.bin"), resuming: data)
        let reports = Task { await handle.progress.reduce(into: [TransferProgress]()) { $0.append($1) } }
        let file = try await handle.value
        #expect(try Data(contentsOf: file) == Self.bytes && server.ranges == [nil, nil])
        #expect(await reports.value.contains(where: \.isRestart))
        #expect(handle.hasRestarted)
        data.discard(in: folder.url)
        #expect(names == [file.lastPathComponent])
    }

    @Test func `resume data continues at the same path with another query`() async throws {
        let server = try server()
        let data = try #require(await begun(server, "/file.bin?signature=1").cancelProducingResumeData())
        let handle = provider.startDownload(
            .download(from: server.server, "/file.bin?signature=2"), resuming: data)
        let file = try await handle.value
        #expect(try Data(contentsOf: file) == Self.bytes && !handle.hasRestarted)
        #expect(server.ranges.last ?? nil != nil && names == [file.lastPathComponent])
    }

    @Test func `a changed resource behind another query starts over`() async throws {
        let server = try server()
        let data = try #require(await begun(server, "/file.bin?version=1").cancelProducingResumeData())
        let later = RangeServer.bytes(200_001)
        server.content.withLock { ($0.tag, $0.data) = ("\"v2\"", later) }
        let handle = provider.startDownload(
            .download(from: server.server, "/file.bin?version=2"), resuming: data)
        let file = try await handle.value
        #expect(try Data(contentsOf: file) == later && handle.hasRestarted && names == [file.lastPathComponent])
    }

    @Test(arguments: [true, false])
    func `a time of modification continues the same request only`(isSame: Bool) async throws {
        let server = try server(tag: nil)
        server.content.withLock { $0.modified = "Wed, 01 Jan 2025 00:00:00 GMT" }
        let data = try #require(await begun(server, "/file.bin?id=1").cancelProducingResumeData())
        let handle = provider.startDownload(
            .download(from: server.server, isSame ? "/file.bin?id=1" : "/file.bin?id=2"), resuming: data)
        _ = try await handle.value
        #expect(handle.hasRestarted == !isSame && (server.ranges.last ?? nil != nil) == isSame)
    }

    @Test func `discarded resume data leaves no file`() async throws {
        let server = try server()
        let data = try #require(await begun(server).cancelProducingResumeData())
        #expect(names.count == 1)
        data.discard(in: folder.url)
        #expect(names == [])
        let handle = provider.startDownload(.download(from: server.server), resuming: data)
        _ = try await handle.value
        #expect(handle.hasRestarted)
    }

    @Test func `the bytes of a running download are not discarded`() async throws {
        let server = try server()
        let data = try #require(await begun(server).cancelProducingResumeData())
        let gate = LoopbackBarrier()
        server.content.withLock { content in
            content.change = { response, _ in response.held(by: gate, at: .responseBody(afterBytes: 10_000)) }
        }
        let handle = provider.startDownload(.download(from: server.server), resuming: data)
        try await gate.arrivals(atLeast: 1)
        data.discard(in: folder.url)
        #expect(names.count == 1)
        gate.open()
        #expect(try Data(contentsOf: await handle.value) == Self.bytes)
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
