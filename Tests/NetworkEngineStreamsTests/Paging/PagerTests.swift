import Foundation
import Observation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineStreams
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(10))) @MainActor struct PagerTests {
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    private func pager(_ answers: [MockAnswer]) -> (Pager<Int>, MockTransport) {
        let queue = Locked(answers)
        let mock = MockTransport(
            .handler { _ in
                try queue.withLock { $0.isEmpty ? nil : $0.removeFirst() } ?? { throw CancellationError() }()
            }.repeating())
        let client = HTTPClient(mock)
        return (Pager(client.pages(of: [Int].self, from: .get("/n"), by: .number())), mock)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    private func name(_ pager: Pager<Int>) -> String {
        switch pager.state {
        case .idle: "idle"
        case .loading: "loading"
        case .failed(let error): "failed \(error.statusCode ?? 0)"
        case .finished: "finished"
        }
    }

    /// An answer that waits until the test releases it.
    private func held(_ json: String) -> (answer: MockAnswer, arrived: OneShot<Void>, released: OneShot<Void>) {
        let (arrived, released) = (OneShot<Void>(), OneShot<Void>())
        let answer = MockAnswer.handler { _ in
            arrived.settle(())
            _ = try await released.wait()
            return .json(json)
        }
        return (answer, arrived, released)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test func `pages are added until there are no more`() async {
        let (pager, mock) = pager([.json("[1, 2]"), .json("[3]"), .json("[]")])
        #expect(pager.items.isEmpty && name(pager) == "idle" && mock.requests.isEmpty)
        await pager.loadMore()
        #expect(pager.items == [1, 2] && name(pager) == "idle")
        await pager.loadMore()
        await pager.loadMore()
        #expect(pager.items == [1, 2, 3] && name(pager) == "idle")
        await pager.loadMore()
        #expect(name(pager) == "finished" && mock.requests.count == 3)
        await pager.loadMore()
        #expect(mock.requests.count == 3)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test func `a failure keeps the items, and the same page is asked for again`() async {
        let (pager, mock) = pager([.json("[1]"), .status(500), .json("[2]"), .json("[]")])
        await pager.loadMore()
        await pager.loadMore()
        #expect(pager.items == [1] && name(pager) == "failed 500")
        await pager.loadMore()
        #expect(pager.items == [1, 2] && name(pager) == "idle")
        #expect(mock.requests.map { $0.url.query ?? "" } == ["", "page=2", "page=2"])
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test func `calls at the same time load one page`() async throws {
        let first = held("[1]")
        let (pager, mock) = pager([first.answer, .json("[2]")])
        let calls = (0..<3).map { _ in Task { await pager.loadMore() } }
        try await first.arrived.wait()
        #expect(name(pager) == "loading")
        first.released.settle(())
        for call in calls { await call.value }
        #expect(pager.items == [1] && mock.requests.count == 1)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test func `a page that arrives after a reload began changes nothing`() async throws {
        let old = held("[9]")
        let (pager, _) = pager([.json("[1]"), old.answer, .json("[5]"), .json("[6]")])
        await pager.loadMore()
        let stale = Task { await pager.loadMore() }
        try await old.arrived.wait()
        let reload = Task { await pager.reload() }
        await reload.value
        old.released.settle(())
        await stale.value
        #expect(pager.items == [5] && name(pager) == "idle")
        await pager.loadMore()
        #expect(pager.items == [5, 6])
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test func `a reload keeps the items until the first page is there, or if it fails`() async throws {
        let second = held("[2]")
        let (pager, _) = pager([.json("[1]"), second.answer, .status(503), .json("[]")])
        await pager.loadMore()
        let reload = Task { await pager.reload() }
        try await second.arrived.wait()
        #expect(pager.items == [1] && name(pager) == "loading")
        second.released.settle(())
        await reload.value
        #expect(pager.items == [2])
        await pager.reload()
        #expect(pager.items == [2] && name(pager) == "failed 503")
        await pager.reload()
        #expect(pager.items.isEmpty && name(pager) == "idle")
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test func `a canceled call leaves the pager as it was`() async throws {
        let first = held("[1]")
        let (pager, _) = pager([first.answer, .json("[1]")])
        let call = Task { await pager.loadMore() }
        try await first.arrived.wait()
        call.cancel()
        await call.value
        #expect(pager.items.isEmpty && name(pager) == "idle")
        await pager.loadMore()
        #expect(pager.items == [1])
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test(arguments: 0..<30)
    func `a page is loaded after a canceled one, however far its end is`(turns: Int) async throws {
        let first = held("[1]")
        let (pager, _) = pager([first.answer, .json("[1]")])
        let call = Task { await pager.loadMore() }
        try await first.arrived.wait()
        call.cancel()
        for _ in 0..<turns { await Task.yield() }
        let next = Task { await pager.loadMore() }
        for _ in 0..<30 { await Task.yield() }
        first.released.settle(())
        await next.value
        #expect(pager.items == [1] && name(pager) == "idle")
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test func `a change is observed`() async {
        let (pager, _) = pager([.json("[1]")])
        await confirmation { changed in
            withObservationTracking {
                _ = pager.items
            } onChange: {
                changed()
            }
            await pager.loadMore()
        }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test func `pages can hold their items in a property`() async {
        struct Page: Decodable, Sendable { var names: [String] }
        let client = HTTPClient(MockTransport(.json(#"{"names": ["a"]}"#)))
        let pager = Pager(client.pages(of: Page.self, from: .get("/n"), next: { _ in nil }), items: \.names)
        await pager.loadMore()
        #expect(pager.items == ["a"])
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test func `a page after a reload that failed replaces the items`() async {
        let (pager, _) = pager([.json("[1]"), .status(503), .json("[2]"), .json("[3]")])
        await pager.loadMore()
        await pager.reload()
        #expect(pager.items == [1])
        await pager.loadMore()
        #expect(pager.items == [2])
        await pager.loadMore()
        #expect(pager.items == [2, 3])
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test func `a canceled call does not end the page that another call waits for`() async throws {
        let first = held("[1]")
        let (pager, mock) = pager([first.answer])
        let kept = Task { await pager.loadMore() }
        let canceled = Task { await pager.loadMore() }
        try await first.arrived.wait()
        canceled.cancel()
        for _ in 0..<20 { await Task.yield() }
        first.released.settle(())
        await kept.value
        await canceled.value
        #expect(pager.items == [1] && mock.requests.count == 1)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test func `a call after one that was canceled loads its page`() async throws {
        let first = held("[9]")
        let (pager, mock) = pager([first.answer, .json("[1]")])
        let canceled = Task { await pager.loadMore() }
        try await first.arrived.wait()
        canceled.cancel()
        await canceled.value
        await pager.loadMore()
        #expect(pager.items == [1] && mock.requests.count == 2)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test func `a canceled reload leaves the pager as it was`() async throws {
        let reloaded = held("[9]")
        let (pager, mock) = pager([.json("[1]"), reloaded.answer, .json("[2]"), .json("[]")])
        await pager.loadMore()
        let reload = Task { await pager.reload() }
        try await reloaded.arrived.wait()
        reload.cancel()
        await reload.value
        await pager.loadMore()
        #expect(pager.items == [1, 2] && name(pager) == "idle")
        #expect(mock.requests.map { $0.url.query ?? "" } == ["", "", "page=2"])
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test(arguments: [MockAnswer.json("[]"), .status(503)])
    func `a pager has the state of before after a canceled reload`(last: MockAnswer) async throws {
        let reloaded = held("[9]")
        let (pager, mock) = pager([.json("[1]"), last, reloaded.answer])
        for _ in 1...3 where name(pager) == "idle" { await pager.loadMore() }
        let before = name(pager)
        let reload = Task { await pager.reload() }
        try await reloaded.arrived.wait()
        reload.cancel()
        await reload.value
        #expect(pager.items == [1] && name(pager) == before && ["finished", "failed 503"].contains(before))
        #expect(mock.requests.count == 3)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test func `a page that a canceled reload displaced is asked for again`() async throws {
        let (second, reloaded) = (held("[2]"), held("[9]"))
        let (pager, mock) = pager([.json("[1]"), second.answer, reloaded.answer, .json("[2]")])
        await pager.loadMore()
        let more = Task { await pager.loadMore() }
        try await second.arrived.wait()
        let reload = Task { await pager.reload() }
        try await reloaded.arrived.wait()
        more.cancel()
        reload.cancel()
        await more.value
        await reload.value
        await pager.loadMore()
        #expect(pager.items == [1, 2] && name(pager) == "idle")
        #expect(mock.requests.map { $0.url.query ?? "" } == ["", "page=2", "", "page=2"])
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test func `a reload in a canceled task requests nothing`() async {
        let (pager, mock) = pager([.json("[1]"), .json("[9]"), .json("[2]")])
        await pager.loadMore()
        let reload = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await pager.reload()
        }
        await reload.value
        #expect(pager.items == [1] && name(pager) == "idle" && mock.requests.count == 1)
    }
}
