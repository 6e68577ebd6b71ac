import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCombine
@testable import NetworkEngineTesting

/// Tests the foundation of the Combine publishers without Combine.
@Suite(.timeLimit(.minutes(5))) struct DeferredCallTests {
    private typealias Call = DeferredCall<Int, NetworkError>
    private let outcomes: AsyncStream<Call.Outcome>
    private let outcome: AsyncStream<Call.Outcome>.Continuation

    init() { (outcomes, outcome) = AsyncStream.makeStream() }

    private func call(_ mock: MockTransport) -> Call {
        let provider = NetworkProvider<API>(mock)
        return Call({ () async throws(NetworkError) in try await provider.request(.plain) }) { outcome.yield($0) }
    }

    /// Waits until the task is canceled.
    private static func silence() async {
        let (silence, source) = AsyncStream.makeStream(of: Never.self)
        for await _ in silence {}
        withExtendedLifetime(source) {}
    }

    @Test func `nothing is sent before a value is demanded, and then one request`() async throws {
        let mock = MockTransport(.json("7"))
        let call = call(mock)
        #expect(mock.requests.isEmpty)
        for _ in 0..<3 { call.start() }
        var outcomes = outcomes.makeAsyncIterator()
        #expect(try await outcomes.next()?.get() == 7)
        call.start()
        #expect(mock.requests.count == 1)
    }

    @Test func `a failure is delivered like a value`() async {
        let call = call(MockTransport(.status(404)))
        call.start()
        var outcomes = outcomes.makeAsyncIterator()
        let error = await #expect(throws: NetworkError.self) { try await outcomes.next()?.get() }
        #expect(error?.statusName == .notFound)
    }

    @Test func `canceling a subscription cancels its request and stops delivery`() async {
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        let mock = MockTransport(
            .handler { _ in
                end.yield(false)
                await Self.silence()
                end.yield(Task.isCancelled)
                return .json("7")
            })
        let call = call(mock)
        call.start()
        var iterator = ends.makeAsyncIterator()
        #expect(await iterator.next() == false)
        call.cancel()
        call.cancel()
        #expect(await iterator.next() == true)
        outcome.finish()
        #expect(await outcomes.reduce(0) { count, _ in count + 1 } == 0)
    }

    @Test func `a call that is canceled before the demand is never sent`() async {
        let mock = MockTransport(.json("7"))
        let call = call(mock)
        call.cancel()
        call.start()
        await Task.yield()
        #expect(mock.requests.isEmpty)
    }

    @Test func `a call that is canceled at any moment either delivers or returns its value`() async {
        for turn in 0..<300 {
            let (ends, end) = AsyncStream.makeStream(of: String.self)
            let call = DeferredCall<Int, NetworkError>({ 7 }, onUnclaimed: { _ in end.yield("back") }) { _ in
                end.yield("here")
            }
            call.start()
            for _ in 0..<turn % 5 { await Task.yield() }
            call.cancel()
            call.start()
            var iterator = ends.makeAsyncIterator()
            #expect(await iterator.next() != nil)
            end.finish()
            #expect(await iterator.next() == nil)
        }
    }
}
