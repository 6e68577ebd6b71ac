import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// The timeout limits only the time without a byte in either direction.
@Suite(.timeLimit(.minutes(5))) struct IdleTimeoutTests {
    private let clock = TestClock()

    private func engine(_ transport: any Transport, deadline: Duration? = nil) -> RequestEngine {
        RequestEngine.over(transport) {
            ($0.clock, $0.timeout, $0.deadline) = (clock, .seconds(10), deadline)
        }
    }

    private typealias Report = @Sendable (TransferProgress) -> Void

    private func response(
        to request: HTTPRequest,
        _ engine: RequestEngine,
        in files: DownloadSession? = nil,
        _ report: @escaping Report
    ) async throws -> HTTPResponse {
        var options = engine.options(progress: ProgressFeed(timers: engine.timers, tell: report))
        options.files = files
        return try await engine.value(of: request, options, decoding: .response)
    }

    /// A body of five bytes. Each is held until the previous one has been reported.
    private struct Drip {
        let barriers = (1..<5).map { _ in LoopbackBarrier() }

        var response: LoopbackResponse {
            barriers.enumerated().reduce(LoopbackResponse.text("abcde")) { response, next in
                response.held(by: next.element, at: .responseBody(afterBytes: next.offset + 1))
            }
        }

        func release(after progress: TransferProgress) {
            guard progress.direction == .receiving else { return }
            for barrier in barriers.prefix(Int(progress.completed)) { barrier.open() }
        }
    }

    @Test(arguments: [false, true], Wire.distinct)
    func `a body whose bytes keep arriving may take longer than the timeout`(inFile: Bool, wire: Wire) async throws {
        let drip = Drip()
        let server = try LoopbackServer { _ in drip.response }
        try await wire.withTransport { transport in
            let files = inFile ? DownloadSession() : nil
            let report: Report = { [clock] progress in
                clock.advance(by: .seconds(9))
                drip.release(after: progress)
            }
            var body: ResponseBody?
            defer { if case .file(let place) = body { try? FileManager.default.removeItem(at: place) } }
            body = try await response(to: server.request(), engine(transport), in: files, report).body
            switch body {
            case .data(let data): #expect(data == Data("abcde".utf8))
            case .file(let place): #expect(try Data(contentsOf: place) == Data("abcde".utf8))
            default: Issue.record("There is no body")
            }
            #expect(clock.now.offset > .seconds(40))
        }
    }

    @Test(arguments: Wire.distinct)
    func `a request whose bytes keep being sent may take longer than the timeout`(wire: Wire) async throws {
        var configuration = LoopbackConfiguration()
        configuration.receiveBufferSize = 1 << 16
        let server = try LoopbackServer(configuration) { _ in
            LoopbackResponse.text("ok").readingBody(bytesPerSecond: 20_000_000)
        }
        try await wire.withTransport { transport in
            let report: Report = { [clock] progress in
                if progress.direction == .sending, progress.completed < 4 << 20 { clock.advance(by: .seconds(9)) }
            }
            var request = server.request()
            (request.method, request.body) = (.post, .data(Data(count: 4 << 20)))
            let text = try await response(to: request, engine(transport), report).text
            #expect(text == "ok")
            // A session may have read the entire body before it reports any of it.
            #expect(clock.now.offset > .seconds(20) || wire.name != "curl")
        }
    }

    @Test(arguments: Wire.distinct)
    func `silence ends an exchange one timeout after the last byte`(wire: Wire) async throws {
        let (first, second) = (LoopbackBarrier(), OneShot<Void>())
        let reply = LoopbackResponse.text("abc").held(by: first, at: .responseBody(afterBytes: 1))
            .fault(.stall, at: .responseBody(afterBytes: 2))
        let server = try LoopbackServer { _ in reply }
        try await wire.withTransport { transport in
            let engine = engine(transport)
            let call = Task { [clock] in
                let report: Report = { progress in
                    switch progress.completed {
                    // Two reports at the same time would count as one.
                    case 0: clock.advance(to: .init(offset: .seconds(1)))
                    case 1:
                        clock.advance(to: .init(offset: .seconds(9)))
                        first.open()
                    case 2: second.settle(())
                    default: break
                    }
                }
                return try await response(to: server.request(), engine, report)
            }
            try await second.wait()
            clock.advance(to: .init(offset: .seconds(10)))
            await clock.untilSleeping()
            #expect(clock.pendingSleepers.map(\.offset) == [.seconds(19)])
            clock.advance(by: .seconds(9))
            let error = await #expect(throws: NetworkError.self) { try await call.value }
            #expect(error?.transportFailure == .timeout(.body))
            #expect(error?.figures.timeout == .seconds(10))
        }
    }

    @Test(arguments: [false, true], Wire.distinct)
    func `the deadline ends an exchange whose bytes keep arriving`(inFile: Bool, wire: Wire) async throws {
        let drip = Drip()
        let server = try LoopbackServer { _ in drip.response }
        try await wire.withTransport { transport in
            let engine = engine(transport, deadline: .seconds(25))
            let call = Task { [clock] in
                let files = inFile ? DownloadSession() : nil
                let report: Report = { progress in
                    // The third byte arrives after the deadline.
                    clock.advance(to: .init(offset: .seconds(max(1, 9 * progress.completed))))
                    if progress.completed < 3 { drip.release(after: progress) }
                }
                return try await response(to: server.request(), engine, in: files, report)
            }
            let error = await #expect(throws: NetworkError.self) { try await call.value }
            #expect(error?.transportFailure == .timeout(.deadline))
        }
    }

    @Test(arguments: Wire.distinct)
    func `the deadline does not end a stream whose head has arrived`(wire: Wire) async throws {
        let barrier = LoopbackBarrier()
        let server = try LoopbackServer { _ in
            LoopbackResponse.text("first,second").held(by: barrier, at: .responseBody(afterBytes: 6))
        }
        try await wire.withTransport { transport in
            let engine = engine(transport, deadline: .seconds(5))
            let options = engine.options { $0.streamsBody = true }
            let response = try await engine.value(of: server.request(), options, decoding: .response)
            clock.advance(by: .seconds(6))
            barrier.open()
            var text = ""
            for try await piece in ResponseStream(response) { text += String(decoding: piece, as: UTF8.self) }
            #expect(text == "first,second")
        }
    }
}
