import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct CallPriorityTests {
    private typealias Priority = TransportContext.Priority

    /// Records each exchange's priority.
    private final class Recorder: Transport {
        private let seen = Locked<[Priority]>([])
        var priorities: [Priority] { seen.withLock { $0 } }

        func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
            seen.withLock { $0.append(context.priority) }
            return HTTPResponse(statusCode: 200, body: .data(Data("1".utf8)), request: request)
        }
    }

    private struct Plain: TargetType {
        var baseURL: URL { API.base }
        var path: EndpointPath { "/a" }
    }

    private let recorder = Recorder()
    private var configuration: NetworkConfiguration {
        var configuration = NetworkConfiguration()
        configuration.transport = recorder
        return configuration
    }

    private static let cases: [(TaskPriority, Priority)] = [
        (.background, .low), (.utility, .low), (.medium, .normal), (.userInitiated, .high),
    ]

    @Test(arguments: 0..<4) func `a call has the priority of its task`(index: Int) async throws {
        let (priority, expected) = Self.cases[index]
        let provider = NetworkProvider<Plain>(configuration: configuration)
        let client = HTTPClient(baseURL: API.base, configuration: configuration)
        let erased = NetworkProvider<AnyTarget>(configuration: configuration)
        let target = AnyTarget(Plain())
        // An awaited task would inherit the priority of the task that waits.
        let (ends, end) = AsyncStream.makeStream(of: String.self)
        Task(priority: priority) {
            do {
                _ = try await provider.data(Plain())
                let _: Data = try await client.request(.get("/a"))
                _ = try await erased.data(target)
                _ = try await provider.start(Plain(), as: Int.self).value
                end.yield("done")
            } catch {
                end.yield("\(error)")
            }
        }
        var iterator = ends.makeAsyncIterator()
        #expect(await iterator.next() == "done")
        #expect(recorder.priorities == Array(repeating: expected, count: 4))
    }

    @Test func `targets and endpoints set a priority of their own`() async throws {
        var target = AnyTarget(Plain())
        target.priority = .low
        _ = try await NetworkProvider<AnyTarget>(configuration: configuration).data(target)
        var endpoint = Endpoint.get("/a")
        endpoint.priority = .high
        let client = HTTPClient(baseURL: API.base, configuration: configuration)
        let _: Data = try await client.request(endpoint)
        let _: Data = try await client.request(TypedEndpoint(endpoint, decoding: .data))
        #expect(recorder.priorities == [.low, .high, .high] && AnyTarget(target).priority == .low)
    }
}
