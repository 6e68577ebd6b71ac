import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// What a failed download leaves behind: no file, and the start of the body in its error.
@Suite(.timeLimit(.minutes(5))) struct DownloadRemainsTests {
    private struct Mistake: Error {}

    private struct Retry: RequestInterceptor {
        func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision { .retry }
    }

    /// Calls `next` twice, and then throws if `isFailing`.
    private struct Twice: RequestInterceptor {
        var isFailing = false

        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: @escaping Next
        ) async throws -> HTTPResponse {
            _ = try await next(request)
            let response = try await next(request)
            if isFailing { throw Mistake() }
            return response
        }
    }

    /// The body files that remain or are being written.
    private final class Folder: Sendable {
        let content: TemporaryFolder

        init() throws { content = try TemporaryFolder() }
    }

    private let folder: Folder

    init() throws { folder = try Folder() }

    private var remains: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.content.url.path) }
    }

    private func provider(_ interceptors: [any RequestInterceptor] = []) -> NetworkProvider<FileTarget> {
        var configuration = NetworkConfiguration()
        configuration.temporaryFolder = folder.content.url
        return NetworkProvider(interceptors: interceptors, configuration: configuration)
    }

    private func failure(
        _ responses: [LoopbackResponse],
        _ interceptors: [any RequestInterceptor] = [],
        _ change: (inout FileTarget) -> Void = { _ in }
    ) async throws -> NetworkError? {
        let server = try LoopbackServer()
        server.enqueue(responses)
        var target = FileTarget.download(from: server)
        change(&target)
        let error = await #expect(throws: NetworkError.self) { try await provider(interceptors).download(target) }
        #expect(server.record.requestCount == responses.count)
        #expect(try remains == [])
        return error
    }

    @Test func `a bad status keeps the beginning of the body`() async throws {
        let error = try await failure([.json(#"{"error": 1}"#, status: 404)])
        #expect(error?.statusName == .notFound && error?.response?.data == Data(#"{"error": 1}"#.utf8))
        let long = try await failure([.data(Data(count: 1 << 20), status: 500)])
        #expect(long?.response?.data.count == 64 << 10)
    }

    @Test func `a failed validation leaves no file`() async throws {
        let own = try await failure([.text("body")]) {
            $0.validation = .custom { _ in throw NetworkError(kind: .authentication) }
        }
        #expect(own?.kind == .authentication && own?.response?.data == Data("body".utf8))
        let foreign = try await failure([.text("body")]) { $0.validation = .custom { _ in throw Mistake() } }
        #expect(foreign?.kind == .invalidResponse && foreign?.response?.data == Data("body".utf8))
    }

    @Test func `a connection that is lost inside the body leaves no file`() async throws {
        let torn = LoopbackResponse.text("body and more").fault(.reset, at: .responseBody(afterBytes: 4))
        #expect(try await failure([torn])?.kind == .connection)
    }

    @Test func `failed attempts leave no file`() async throws {
        let error = try await failure(
            [.text("a", status: 503), .text("b", status: 503), .text("c", status: 503)], [Retry()])
        #expect(error?.attempts.count == 3 && error?.response?.data == Data("c".utf8))
    }

    @Test func `a destination that cannot be written leaves no file`() async throws {
        let place = URL(fileURLWithPath: "/dev/null/a.txt")
        let error = try await failure([.text("body")]) { $0.task = .downloadDestination(.file(at: place)) }
        #expect(error?.reason.contains("/dev/null/a.txt") == true && error?.response?.data == Data("body".utf8))
        let foreign = try await failure([.text("body")]) {
            $0.task = .downloadDestination(.custom { _ in throw Mistake() })
        }
        #expect(foreign?.underlying is Mistake && foreign?.reason == "the download's destination threw Mistake")
    }

    @Test func `an interceptor that fails after its response leaves no file`() async throws {
        let error = try await failure([.text("a"), .text("b")], [Twice(isFailing: true)])
        #expect(error?.kind == .interceptor)
    }

    @Test func `only the last of an interceptor's responses keeps its file`() async throws {
        let server = try LoopbackServer()
        server.enqueue(.text("a"), .text("b"))
        let file = try await provider([Twice()]).download(.download(from: server))
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try String(contentsOf: file, encoding: .utf8) == "b")
        #expect(try remains == [file.lastPathComponent])
    }

    @Test func `the body of a redirect leaves no file`() async throws {
        let server = try LoopbackServer()
        var redirect = LoopbackResponse.redirect(to: "/there")
        redirect.body = .data(Data("moved".utf8))
        server.enqueue(redirect, .text("there"))
        let file = try await provider().download(.download(from: server))
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(server.record.requestCount == 2)
        #expect(try remains == [file.lastPathComponent])
    }

    @Test func `canceling inside the body leaves no file`() async throws {
        let gate = LoopbackBarrier()
        let server = try LoopbackServer()
        server.enqueue(.text("body and more").held(by: gate, at: .responseBody(afterBytes: 4)))
        let task = Task { try await provider().download(.download(from: server)) }
        try await gate.arrivals(atLeast: 1)
        task.cancel()
        let error = await #expect(throws: NetworkError.self) { try await task.value }
        #expect(error?.kind == .cancelled)
        #expect(try remains == [])
    }

    @Test func `canceling between the end and the callback removes the file`() async throws {
        let server = try LoopbackServer()
        server.enqueue(.text("body"))
        let queue = DispatchQueue(label: "held", attributes: .initiallyInactive)
        let outcome = await withCheckedContinuation { outcome in
            let request = provider().download(.download(from: server), queue: queue) { outcome.resume(returning: $0) }
            Task {
                _ = await (request as? RequestHandle<URL>)?.result
                request.cancel()
                queue.activate()
            }
        }
        let error = #expect(throws: NetworkError.self) { try outcome.get() }
        #expect(error?.kind == .cancelled)
        #expect(try remains == [])
    }
}
