import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineResilience
@testable import NetworkEngineTesting

/// Downloads after a redirect, and two simultaneous downloads: the next call continues with the saved file.
@Suite(.timeLimit(.minutes(5))) final class RedirectedResumeTests {
    private static let bytes = RangeServer.bytes(300_000)
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func provider(
        over transport: any Transport,
        _ interceptors: [any RequestInterceptor] = []
    ) -> NetworkProvider<FileTarget> {
        var configuration = NetworkConfiguration()
        configuration.temporaryFolder = folder.url
        configuration.transport = transport
        return NetworkProvider(interceptors: interceptors, configuration: configuration)
    }

    private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? [] }

    /// Redirects from `/file.bin` to an address with a new signature each time. The first responses there are
    /// interrupted.
    private func server(breaks: [Int], leadingTo path: Locked<String> = Locked("/real.bin")) throws -> RangeServer {
        var content = RangeServer.Content(data: Self.bytes, breaks: breaks)
        let signature = Locked(0)
        content.redirect = { request in
            guard request.path == "/file.bin" else { return nil }
            let number = signature.withLock { number in
                number += 1
                return number
            }
            return .redirect(to: "\(path.withLock { $0 })?signature=\(number)")
        }
        return try RangeServer(content)
    }

    /// The requested ranges, by path.
    private func asked(_ server: RangeServer) -> [String] {
        server.server.requests.map { "\($0.path) \($0.headers.contains("Range") ? "rest" : "whole")" }
    }

    @Test(arguments: Wire.distinct)
    func `resume data from a redirected download is valid for the next call`(wire: Wire) async throws {
        let server = try server(breaks: [200_000])
        try await wire.withTransport { transport in
            let target = FileTarget.download(
                from: server.server, to: .file(at: folder.url.appendingPathComponent("out.bin"), options: .resume))
            await #expect(throws: NetworkError.self) { try await provider(over: transport).download(target) }
            let place = try await provider(over: transport).download(target)
            #expect(try Data(contentsOf: place) == Self.bytes)
        }
        #expect(asked(server) == ["/file.bin whole", "/real.bin whole", "/file.bin whole", "/real.bin rest"])
        #expect(names == ["out.bin"])
    }

    @Test(arguments: Wire.distinct)
    func `a redirected download that is canceled continues in another call`(wire: Wire) async throws {
        let gate = LoopbackBarrier()
        let server = try server(breaks: [])
        server.content.withLock { content in
            content.change = { $1 == 0 ? $0.held(by: gate, at: .responseBody(afterBytes: 100_000)) : $0 }
        }
        try await wire.withTransport { transport in
            let target = FileTarget.download(from: server.server)
            let handle = provider(over: transport).startDownload(target)
            for await report in handle.progress where report.completed >= 50_000 { break }
            let data = try #require(await handle.cancelProducingResumeData())
            #expect(names.count == 1)
            let place = try await provider(over: transport).download(target, resuming: data)
            #expect(try Data(contentsOf: place) == Self.bytes && names == [place.lastPathComponent])
        }
        #expect(asked(server).suffix(2) == ["/file.bin whole", "/real.bin rest"])
    }

    @Test(arguments: Wire.distinct)
    func `bytes of one address are not continued at another`(wire: Wire) async throws {
        let path = Locked("/real.bin")
        let server = try server(breaks: [200_000], leadingTo: path)
        try await wire.withTransport { transport in
            let target = FileTarget.download(
                from: server.server, to: .file(at: folder.url.appendingPathComponent("out.bin"), options: .resume))
            await #expect(throws: NetworkError.self) { try await provider(over: transport).download(target) }
            path.withLock { $0 = "/new.bin" }
            _ = try await provider(over: transport).download(target)
        }
        #expect(asked(server).suffix(2) == ["/file.bin whole", "/new.bin whole"])
        #expect(names == ["out.bin"])
    }

    @Test(arguments: Wire.distinct)
    func `another attempt continues after the redirect`(wire: Wire) async throws {
        struct Retry: RequestInterceptor {
            func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision { .retry }
        }
        let server = try server(breaks: [200_000])
        try await wire.withTransport { transport in
            let place = try await provider(over: transport, [Retry()]).download(.download(from: server.server))
            #expect(try Data(contentsOf: place) == Self.bytes && names == [place.lastPathComponent])
        }
        #expect(asked(server) == ["/file.bin whole", "/real.bin whole", "/file.bin whole", "/real.bin rest"])
    }

    @Test(arguments: Wire.distinct)
    func `of two concurrent downloads the stored resume data belongs to the kept file`(wire: Wire) async throws {
        let (second, first) = (LoopbackBarrier(), LoopbackBarrier())
        var content = RangeServer.Content(data: Self.bytes)
        content.change = { response, number in
            switch number {
            case 0:
                response.held(by: first, at: .responseBody(afterBytes: 200_000)).fault(
                    .reset, at: .responseBody(afterBytes: 200_000))
            case 1: response.held(by: second).fault(.reset, at: .responseBody(afterBytes: 1_000))
            default: response
            }
        }
        let server = try RangeServer(content)
        try await wire.withTransport { transport in
            let target = FileTarget.download(
                from: server.server, to: .file(at: folder.url.appendingPathComponent("out.bin"), options: .resume))
            let hedged = provider(over: transport, [Hedging(after: .milliseconds(1), extraLoad: 1)])
            let handle = hedged.startDownload(target)
            for await report in handle.progress where report.completed >= 100_000 { break }
            try await second.arrivals(atLeast: 1)
            second.open()
            try await server.server.wait { $0.openConnections == 1 }
            first.open()
            await #expect(throws: NetworkError.self) { _ = try await handle.value }
            #expect(names.count == 2, "a note, and what it is about: \(names)")
            _ = try await provider(over: transport).download(target)
        }
        let start = server.ranges.last.flatMap { $0 }.flatMap { Int($0.dropFirst(6).dropLast()) }
        #expect(try #require(start) > 100_000)
        #expect(names == ["out.bin"])
    }
}
