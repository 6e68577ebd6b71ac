import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineObservation
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct ChaosInterceptorTests {
    private static let base = URL(string: "https://api.test") ?? URL(fileURLWithPath: "/")

    private func client(
        seed: UInt64 = 1,
        over transport: any Transport = MockTransport(MockAnswer.status(200, body: "whole body").repeating()),
        clock: any Clock<Duration> = ContinuousClock(),
        _ change: (inout ChaosInterceptor) -> Void
    ) -> HTTPClient {
        var chaos = ChaosInterceptor(seed: seed, clock: clock)
        change(&chaos)
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        return HTTPClient(baseURL: Self.base, interceptors: [chaos], configuration: configuration)
    }

    /// Returns the outcomes of calls to these paths, in order.
    private func fates(_ client: HTTPClient, _ paths: [String]) async -> [String] {
        var fates: [String] = []
        for path in paths {
            do throws(NetworkError) {
                fates.append(try await client.request(.get(path), decoding: .string))
            } catch {
                fates.append(error.transportFailure?.word ?? "\(error.statusCode ?? 0)")
            }
        }
        return fates
    }

    private static let many = (0..<200).map { "/\($0 % 20)" }
    private static let mixed: [ChaosFault] = [
        .failing(.lostBeforeResponse, probability: 0.25), .answering(503, probability: 0.25),
    ]

    @Test func `the headers of an answer can be a dictionary`() async throws {
        let fields = ["Retry-After": "1"]
        let client = client { $0.faults = [.answering(200, headers: fields, probability: 1)] }
        #expect(try await client.send(.get("/")).headers["Retry-After"] == "1")
    }

    @Test func `equal seeds give equal faults, and other seeds give others`() async {
        var runs: [[String]] = []
        for seed: UInt64 in [7, 7, 8] {
            runs.append(await fates(client(seed: seed) { $0.faults = Self.mixed }, Self.many))
        }
        #expect(runs[0] == runs[1] && runs[0] != runs[2])
    }

    @Test func `the fault of a request does not depend on other requests`() async {
        let alone = await fates(client { $0.faults = Self.mixed }, Array(repeating: "/a", count: 50))
        let among = await fates(client { $0.faults = Self.mixed }, (0..<100).map { $0 % 2 == 0 ? "/a" : "/b" })
        #expect(among.enumerated().filter { $0.offset % 2 == 0 }.map(\.element) == alone)
    }

    @Test func `faults occur with their probability`() async {
        let fates = await fates(client { $0.faults = Self.mixed }, (0..<2_000).map { "/\($0)" })
        for fate in ["lostBeforeResponse", "503"] {
            #expect((400...600).contains(fates.count { $0 == fate }))
        }
    }

    @Test(arguments: [
        (ChaosFault.failing(.dns, probability: 1), "dns", 0), (.answering(418, probability: 1), "418", 0),
        (.losingTheAnswer(probability: 1), "lostBeforeResponse", 1), (.damagingTheBody(probability: 1), "whole", 1),
        (.failing(.dns, probability: 0), "whole body", 1), (.failing(.dns, probability: -1), "whole body", 1),
        (.failing(.dns, probability: .nan), "whole body", 1),
    ])
    func `each fault has its effect`(fault: ChaosFault, fate: String, sent: Int) async {
        let mock = MockTransport(.status(200, body: "whole body"))
        #expect(await fates(client(over: mock) { $0.faults = [fault] }, ["/"]) == [fate])
        #expect(mock.requests.count == sent)
    }

    @Test func `an error of any type is thrown as an interceptor's`() async {
        struct Odd: Error {}
        let client = client { $0.faults = [.throwing(Odd(), probability: 1)] }
        let error = await #expect(throws: NetworkError.self) { try await client.send(.get("/")) }
        #expect(error?.kind == .interceptor && error?.underlying is Odd)
    }

    @Test func `a request that hangs ends when it is canceled`() async {
        let client = client { $0.faults = [.hanging(probability: 1)] }
        let call = Task { try await client.send(.get("/")) }
        call.cancel()
        let error = await #expect(throws: NetworkError.self) { try await call.value }
        #expect(error?.kind == .cancelled)
    }

    @Test func `latency is within its span, on the clock`() async throws {
        let clock = TestClock()
        let client = client(clock: clock) { $0.latency = .milliseconds(100)...Duration.milliseconds(200) }
        for _ in 1...20 {
            let start = clock.now
            let call = Task { try await client.send(.get("/")) }
            await clock.advanceToNextSleeper()
            _ = try await call.value
            #expect((Duration.milliseconds(100)...Duration.milliseconds(200)).contains(start.duration(to: clock.now)))
        }
    }

    @Test func `the delay of a request does not depend on the fault of the one before`() async {
        let clock = TestClock()
        let client = client(clock: clock) {
            $0.latency = .seconds(1)...Duration.seconds(2)
            $0.faults = [.failing(.dns, probability: 0.3)]
        }
        var delays: [Duration] = []
        var isBehindFault = false
        for _ in 1...100 {
            let call = Task { try await client.send(.get("/")) }
            let delay = await clock.advanceToNextSleeper()
            if isBehindFault { delays.append(delay) }
            isBehindFault = (try? await call.value) == nil
        }
        #expect(delays.count > 10)
        #expect(delays.contains { $0 < .milliseconds(1_300) } && delays.contains { $0 > .milliseconds(1_700) })
    }
}
