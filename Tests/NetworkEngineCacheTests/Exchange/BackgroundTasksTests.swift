import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCache

@Suite(.timeLimit(.minutes(5))) struct BackgroundTasksTests {
    @Test func `tasks are limited in number, and canceled with their owner`() async throws {
        let (started, ended) = (OneShot<Void>(), OneShot<Bool>())
        var tasks: BackgroundTasks? = BackgroundTasks(limit: 1)
        let isFirst = tasks?.start {
            started.settle(())
            try? await OneShot<Void>().wait()
            ended.settle(Task.isCancelled)
        }
        try await started.wait()
        let isSecond = tasks?.start {}
        #expect(isFirst == true && isSecond == false)
        tasks = nil
        #expect(try await ended.wait())
    }

    @Test func `a ticket is invalid after a removal, and forgotten with its response`() async {
        let pendingStores = PendingStores()
        let key = CacheKey(HTTPRequest.cached().url)
        let other = CacheKey(HTTPRequest.cached([:], "https://b.test/").url)
        let (first, second) = (pendingStores.begin(key), pendingStores.begin(other))
        await pendingStores.remove(where: { $0 == key }) {}
        #expect(!first.isValid && second.isValid && pendingStores.begin(key).isValid)
        await pendingStores.remove(where: { $0.origin == other.origin }) {}
        #expect(!second.isValid)
        let third = pendingStores.begin(key)
        await pendingStores.remove(where: { _ in true }) {}
        #expect(!third.isValid)
    }

    @Test func `a removal waits for a write that has begun, removes again, and lets no later one begin`() async throws {
        let pendingStores = PendingStores()
        let key = CacheKey(HTTPRequest.cached().url)
        let ticket = pendingStores.begin(key)
        let (begun, released) = (OneShot<Void>(), OneShot<Void>())
        let events = Locked<[String]>([])
        let write = Task {
            await ticket.store {
                begun.settle(())
                try? await released.wait()
                events.withLock { $0.append("write") }
            }
        }
        try await begun.wait()
        let removal = Task {
            await pendingStores.remove(where: { $0 == key }) {
                events.withLock { $0.append("remove") }
                released.settle(())
            }
        }
        removal.cancel()
        await removal.value
        await write.value
        await ticket.store { events.withLock { $0.append("late") } }
        #expect(events.withLock { $0 } == ["remove", "write", "remove"])
    }
}
