import NetworkEngine
import Testing

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

    @Test func `a ticket is invalid after a removal, and forgotten with its response`() {
        let ledger = StoringLedger()
        let key = CacheKey(HTTPRequest.cached().url)
        let other = CacheKey(HTTPRequest.cached([:], "https://b.test/").url)
        let (first, second) = (ledger.begin(key), ledger.begin(other))
        ledger.remove(key)
        #expect(!first.isValid && second.isValid && ledger.begin(key).isValid)
        ledger.removeAll(from: other.origin)
        #expect(!second.isValid)
        let third = ledger.begin(key)
        ledger.removeAll()
        #expect(!third.isValid)
    }
}
