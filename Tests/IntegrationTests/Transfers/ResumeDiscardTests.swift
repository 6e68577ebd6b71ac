import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// After a resumed download has failed, its file is final: its resume data can be discarded, or used again.
@Suite(.timeLimit(.minutes(5))) final class ResumeDiscardTests {
    enum Ending: String, CaseIterable, Sendable {
        case lost, status, refused, deadline, deadlineOfTask, timeout, canceledHandle, canceledTask, callback
    }

    /// An interceptor that may suspend, so that the call is a task that ends at the deadline.
    private struct Waiting: RequestInterceptor {
        var opening: OneShot<Void>?
        var hasAnswered: OneShot<Void>?

        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: @escaping Next
        ) async throws -> HTTPResponse {
            let response = try await next(request)
            hasAnswered?.settle(())
            // Ignores cancellation.
            if let opening { await Task { try? await opening.wait() }.value }
            return response
        }
    }

    private static let bytes = RangeServer.bytes(300_000)
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? [] }

    private func provider(
        _ transport: any Transport,
        _ interceptors: [any RequestInterceptor] = [],
        _ change: (inout NetworkConfiguration) -> Void = { _ in }
    ) -> NetworkProvider<FileTarget> {
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        configuration.temporaryFolder = folder.url
        change(&configuration)
        return NetworkProvider(interceptors: interceptors, configuration: configuration)
    }

    /// The resume data of a download with 100,000 bytes.
    private func interrupted(_ server: RangeServer, _ transport: any Transport) async throws -> ResumeData {
        let gate = LoopbackBarrier()
        server.content.withLock {
            $0.change = { response, _ in response.held(by: gate, at: .responseBody(afterBytes: 100_000)) }
        }
        let handle = provider(transport).startDownload(.download(from: server.server))
        for await report in handle.progress where report.completed >= 50_000 { break }
        return try #require(await handle.cancelProducingResumeData())
    }

    /// Resumes a download, which fails.
    private func fail(
        _ ending: Ending, _ data: ResumeData, _ server: RangeServer, _ transport: any Transport
    ) async throws {
        let gate = LoopbackBarrier()
        let target = FileTarget.download(from: server.server)
        server.content.withLock {
            $0.change = { response, _ in
                switch ending {
                case .lost: response.fault(.reset, at: .responseBody(afterBytes: 10_000))
                case .status: .status(500)
                case .refused: .fault(.close)
                default: response.held(by: gate, at: .responseBody(afterBytes: 10_000))
                }
            }
        }
        let provider = provider(transport, ending == .deadlineOfTask ? [Waiting()] : []) { configuration in
            if ending == .deadline || ending == .deadlineOfTask { configuration.deadline = .milliseconds(60) }
            if ending == .timeout { configuration.timeout = .milliseconds(60) }
        }
        switch ending {
        case .lost, .status, .refused, .deadline, .deadlineOfTask, .timeout:
            await #expect(throws: NetworkError.self) { try await provider.download(target, resuming: data) }
        case .canceledHandle:
            let handle = provider.startDownload(target, resuming: data)
            try await gate.arrivals(atLeast: 1)
            handle.cancel()
            await #expect(throws: NetworkError.self) { try await handle.value }
        case .canceledTask:
            let task = Task { try await provider.download(target, resuming: data) }
            try await gate.arrivals(atLeast: 1)
            task.cancel()
            await #expect(throws: NetworkError.self) { try await task.value }
        case .callback:
            let queue = DispatchQueue(label: "callback")
            let result = await withCheckedContinuation { outcome in
                let request = provider.download(target, resuming: data, queue: queue) { outcome.resume(returning: $0) }
                Task {
                    try await gate.arrivals(atLeast: 1)
                    request.cancel()
                }
            }
            #expect(throws: NetworkError.self) { try result.get() }
        }
    }

    @Test(arguments: Wire.distinct, Ending.allCases)
    func `resume data can be discarded right after its download has failed`(wire: Wire, ending: Ending) async throws {
        var left = 0
        try await wire.withTransport(connections: 2) { transport in
            for _ in 0..<20 {
                let server = try RangeServer(.init(data: Self.bytes))
                let data = try await interrupted(server, transport)
                try await fail(ending, data, server, transport)
                data.discard(in: folder.url)
                left += names.count
                for name in names { try? FileManager.default.removeItem(at: folder.url.appendingPathComponent(name)) }
            }
        }
        #expect(left == 0)
    }

    @Test func `a canceled download ends before an interceptor that ignores the cancellation, and leaves no file`()
        async throws
    {
        let (opening, hasAnswered) = (OneShot<Void>(), OneShot<Void>())
        defer { opening.settle(()) }
        let server = try LoopbackServer { _ in .text("body") }
        let provider = provider(URLSessionTransport(), [Waiting(opening: opening, hasAnswered: hasAnswered)])
        let handle = provider.startDownload(.download(from: server))
        try await hasAnswered.wait()
        handle.cancel()
        let error = await #expect(throws: NetworkError.self) { try await handle.value }
        #expect(error?.kind == .cancelled)
        #expect(server.requests.count == 1)
        opening.settle(())
        while !names.isEmpty { await Task.yield() }
    }

    @Test func `code that ignores a cancellation does not delay the end of a download`() async throws {
        let opening = OneShot<Void>()
        defer { opening.settle(()) }
        let server = try LoopbackServer { _ in .text("body") }
        let provider = provider(URLSessionTransport(), [Waiting(opening: opening)]) {
            $0.deadline = .milliseconds(300)
        }
        let error = await #expect(throws: NetworkError.self) { try await provider.download(.download(from: server)) }
        #expect(error?.kind == .timeout && names == [])
    }
}
