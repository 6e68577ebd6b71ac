import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Interrupted downloads that resume or restart. In the end the file is correct, and no other file is left.
@Suite(.timeLimit(.minutes(5))) final class ResumeTests {
    private struct Retry: RequestInterceptor {
        func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision { .retry }
    }

    private static let bytes = RangeServer.bytes(300_000)
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func provider(
        _ interceptors: [any RequestInterceptor] = [Retry()],
        attempts: Int = 3
    ) -> NetworkProvider<FileTarget> {
        var configuration = NetworkConfiguration()
        configuration.temporaryFolder = folder.url
        configuration.attemptLimit = attempts
        return NetworkProvider(interceptors: interceptors, configuration: configuration)
    }

    private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? [] }

    private func target(_ server: RangeServer, _ destination: DownloadDestination = .temporary) -> FileTarget {
        .download(from: server.server, to: destination)
    }

    @Test func `after a lost connection only the missing bytes are requested`() async throws {
        let server = try RangeServer(.init(data: Self.bytes, breaks: [100_000, 50_000]))
        let file = try await provider().download(target(server))
        #expect(try Data(contentsOf: file) == Self.bytes)
        let starts = server.ranges.map { $0.flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0 }
        #expect(starts.count == 3 && starts == starts.sorted() && starts[1] > 0)
        #expect(server.server.requests[1].headers["If-Range"] == "\"v1\"")
        #expect(names == [file.lastPathComponent])
    }

    @Test func `progress continues without a restart`() async throws {
        let server = try RangeServer(.init(data: Self.bytes, breaks: [100_000]))
        let reports = Locked<[TransferProgress]>([])
        _ = try await provider().download(target(server)) { report in reports.withLock { $0.append(report) } }
        let all = reports.withLock { $0 }
        #expect(all.first?.completed == 0 && all.first?.total == 300_000 && all.last?.fraction == 1)
        #expect(all.map(\.completed) == all.map(\.completed).sorted() && all.allSatisfy { !$0.isRestart })
        #expect(Set(all.map(\.attempt)) == [1, 2])
    }

    @Test(arguments: ["tag", "ranges", "weak", "start", "total", "unsatisfiable"])
    func `every mismatch restarts the download`(_ fault: String) async throws {
        let later = RangeServer.bytes(200_001)
        var content = RangeServer.Content(data: Self.bytes, breaks: [100_000])
        if fault == "weak" { content.tag = "W/\"v1\"" }
        content.change = { response, number in
            var response = response
            guard number == 1 else { return response }
            switch fault {
            case "start": response.headers["Content-Range"] = "bytes 7-299999/300000"
            case "total": response.headers["Content-Range"] = "bytes 7-299999/300001"
            case "unsatisfiable": response = .status(416)
            default: break
            }
            return response
        }
        let server = try RangeServer(content)
        let provider = provider([Change(server: server, fault: fault, data: later)])
        let file = try await provider.download(target(server))
        let hasChanged = fault == "tag"
        #expect(try Data(contentsOf: file) == (hasChanged ? later : Self.bytes))
        #expect(names == [file.lastPathComponent])
    }

    /// Changes the server's file between two attempts.
    private struct Change: RequestInterceptor {
        let server: RangeServer
        let fault: String
        let data: Data

        func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision {
            server.content.withLock { content in
                if fault == "tag" { (content.tag, content.data) = ("\"v2\"", data) }
                if fault == "ranges" { content.givesRanges = false }
            }
            return .retry
        }
    }

    @Test func `an error response between attempts keeps the partial file`() async throws {
        var content = RangeServer.Content(data: Self.bytes, breaks: [100_000])
        content.change = { $1 == 1 ? .status(503) : $0 }
        let server = try RangeServer(content)
        let file = try await provider().download(target(server))
        #expect(try Data(contentsOf: file) == Self.bytes)
        #expect(server.ranges.count == 3 && server.ranges[2] != nil)
    }

    @Test func `a download that fails in the end leaves no file`() async throws {
        let server = try RangeServer(.init(data: Self.bytes, breaks: [100_000, 1000, 1000]))
        let error = await #expect(throws: NetworkError.self) { try await provider().download(target(server)) }
        #expect(error?.transportFailure == .lostMidBody && error?.attempts.count == 3)
        #expect(names == [])
    }

    @Test func `a part that is shorter than the rest is continued`() async throws {
        var content = RangeServer.Content(data: Self.bytes, breaks: [100_000])
        content.change = { response, number in
            guard number == 1, case .data(let data) = response.body else { return response }
            var response = response
            let start = 300_000 - data.count
            response.headers["Content-Range"] = "bytes \(start)-\(start + 9999)/300000"
            response.body = .data(data.prefix(10_000))
            return response
        }
        let server = try RangeServer(content)
        let file = try await provider().download(target(server))
        #expect(try Data(contentsOf: file) == Self.bytes && server.ranges.count == 3)
    }

    @Test func `a resumed response is a 200 with the whole length`() async throws {
        let server = try RangeServer(.init(data: Self.bytes, breaks: [100_000]))
        let heads = Locked<[String]>([])
        let url = folder.url
        let destination = DownloadDestination.custom { response in
            heads.withLock { $0.append("\(response.statusCode) \(response.headers["Content-Length"] ?? "")") }
            return url.appendingPathComponent("out")
        }
        _ = try await provider().download(target(server, destination))
        #expect(heads.withLock { $0 } == ["200 300000"])
    }
}
