import Testing

@testable import NetworkEngine
@testable import NetworkEngineResilience

/// Requests of several kinds to one host, with one permit at a time.
@Suite(.timeLimit(.minutes(5))) struct PermitQueueTests {
    private var queue = PermitQueue(total: 1, perHost: 1, length: 10)

    private mutating func enter(_ kind: String?) throws -> PermitQueue.Claim {
        let claim = queue.enter(host: "a", rank: .normal, kind: kind)
        return try #require(claim)
    }

    /// A request that waits until another one is answered.
    private mutating func waiting(_ kind: String?, behind other: String?) throws -> PermitQueue.Claim {
        // A host that always has requests isn't forgotten.
        let first = try enter(other)
        let second = try enter(other)
        let claim = try enter(kind)
        _ = queue.leave(first, after: .answered(in: .seconds(3)))
        _ = queue.leave(second, after: .answered(in: .seconds(3)))
        return claim
    }

    @Test(arguments: ["GET /fast", nil])
    mutating func `a request is sent if its host has only answered slower ones of another kind`(kind: String?) throws {
        let claim = try waiting(kind, behind: "GET /slow")
        #expect(queue.isInTime(claim, timeLeft: .milliseconds(50)))
        #expect(!queue.isInTime(claim, timeLeft: .zero))
    }

    @Test mutating func `a request is not sent if its kind was answered in more time than it has`() throws {
        let claim = try waiting("GET /slow", behind: "GET /slow")
        #expect(!queue.isInTime(claim, timeLeft: .milliseconds(2999)))
        #expect(queue.isInTime(claim, timeLeft: .seconds(3)))
    }

    @Test mutating func `requests of unknown kinds are sent, whatever the others take`() throws {
        let claim = try waiting(nil, behind: nil)
        #expect(queue.isInTime(claim, timeLeft: .milliseconds(50)))
    }

    @Test mutating func `a doubtful request is sent, and the newest one next`() throws {
        let first = try enter("GET /slow")
        let doubtful = try enter("GET /other")
        let (old, new) = (try enter("GET /other"), try enter("GET /other"))
        _ = queue.leave(first, after: .answered(in: .seconds(3)))
        let count = queue.begin(doubtful, timeLeft: .seconds(1))
        _ = queue.leave(doubtful)
        let isWaiting = (old: queue.withdraw(old), new: queue.withdraw(new))
        #expect(count == 1 && isWaiting == (true, false))
    }
}
