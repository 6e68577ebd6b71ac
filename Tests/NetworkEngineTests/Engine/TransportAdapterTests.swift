import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Downloads over third-party transports.
@Suite(.timeLimit(.minutes(5))) struct TransportAdapterTests {
    private let clock = TestClock()

    /// Answers with a stream that yields one chunk and then nothing, regardless of cancellation.
    private struct Stalling: Transport {
        func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
            let (bytes, source) = AsyncThrowingStream<Data, any Error>.makeStream()
            source.yield(Data("first".utf8))
            return HTTPResponse(
                statusCode: 200, body: .stream(BodyStream(isReplayable: false) { bytes }), request: request)
        }
    }

    /// Answers a range request with the bytes in memory or in a file.
    private struct Parts: Transport {
        let usesFile: Bool
        let requests = Locked<[HTTPRequest]>([])

        func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
            let count = requests.withLock { requests in
                requests.append(request)
                return requests.count
            }
            var headers: HTTPHeaders = ["ETag": "\"a\"", "Content-Length": "10"]
            if count == 1 {
                let (bytes, source) = AsyncThrowingStream<Data, any Error>.makeStream()
                source.yield(Data("01234".utf8))
                source.finish(throwing: NetworkError(.lostMidBody, reason: "cut off"))
                let body = BodyStream(length: 10, isReplayable: false) { bytes }
                return HTTPResponse(statusCode: 200, headers: headers, body: .stream(body), request: request)
            }
            headers["Content-Range"] = "bytes 5-9/10"
            headers["Content-Length"] = "5"
            let rest = Data("56789".utf8)
            guard usesFile else {
                return HTTPResponse(statusCode: 206, headers: headers, body: .data(rest), request: request)
            }
            let file = URL.freshTemporaryFile
            try rest.write(to: file)
            return HTTPResponse(statusCode: 206, headers: headers, body: .file(file), request: request)
        }
    }

    private struct Retry: RequestInterceptor {
        func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision { .retry }
    }

    private func provider(
        _ transport: any Transport,
        _ interceptors: [any RequestInterceptor] = [],
        deadline: Duration? = nil
    ) -> NetworkProvider<TestTarget> {
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        configuration.clock = clock
        configuration.timeout = .seconds(10)
        configuration.deadline = deadline
        return NetworkProvider(interceptors: interceptors, configuration: configuration)
    }

    @Test func `a download whose stream stalls ends at the timeout`() async throws {
        let provider = provider(Stalling())
        let call = Task { try await provider.download(TestTarget(task: .downloadDestination(.temporary))) }
        await clock.untilSleeping(atLeast: 1)
        let time = Task { while !Task.isCancelled { await clock.advanceToNextSleeper() } }
        defer { time.cancel() }
        let error = await #expect(throws: NetworkError.self) { try await call.value }
        #expect(error?.transportFailure == .timeout(.body))
    }

    @Test func `a download whose stream stalls ends at the deadline`() async throws {
        let provider = provider(Stalling(), deadline: .seconds(5))
        let call = Task { try await provider.download(TestTarget(task: .downloadDestination(.temporary))) }
        await clock.untilSleeping(atLeast: 1)
        let time = Task { while !Task.isCancelled { await clock.advanceToNextSleeper() } }
        defer { time.cancel() }
        let error = await #expect(throws: NetworkError.self) { try await call.value }
        #expect(error?.transportFailure == .timeout(.deadline))
    }

    @Test(arguments: [false, true])
    func `a download continues with a part that is in memory or in a file`(usesFile: Bool) async throws {
        let transport = Parts(usesFile: usesFile)
        let file = try await provider(transport, [Retry()])
            .download(TestTarget(task: .downloadDestination(.temporary)))
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try String(contentsOf: file, encoding: .utf8) == "0123456789")
        #expect(transport.requests.withLock { $0.map { $0.headers["Range"] } } == [nil, "bytes=5-"])
    }
}
