import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5))) struct HostLoadTests {
    private var load = HostLoad()

    private mutating func record(_ service: HostLoad.Service, times: Int = 1, running: Int = 20) {
        for _ in 0..<times { load.record(service, running: running, atMost: 64) }
    }

    @Test mutating func `a host that answers as fast as ever keeps its limit, whatever else it misses`() {
        for _ in 0..<50 {
            record(.answered(in: .milliseconds(100)), times: 9)
            record(.missed)
        }
        #expect(load.limit == nil)
    }

    @Test mutating func `a host of which nothing is known keeps its limit`() {
        record(.missed, times: 100)
        #expect(load.limit == nil)
    }

    @Test mutating func `a host that gets slower until requests are late falls to what it can answer`() {
        record(.answered(in: .milliseconds(100)), times: 40)
        record(.answered(in: .milliseconds(400)), times: 40)
        record(.missed)
        #expect(load.limit == 15)
        // Requests that are already running aren't evidence about the new limit.
        record(.missed, times: 5)
        #expect(load.limit == 15)
    }

    @Test mutating func `a host that stops to answer falls round by round`() {
        record(.answered(in: .milliseconds(100)), times: 20)
        record(.missed, times: 200)
        #expect((load.limit ?? 64) < 5)
    }

    @Test mutating func `the limit rises when the host is fast, and not while it is slow and requests are late`() {
        record(.answered(in: .milliseconds(100)), times: 40)
        record(.missed, times: 100)
        let lowest = load.limit ?? 64
        for _ in 0..<4 {
            record(.answered(in: .milliseconds(300)), times: 19)
            record(.missed)
        }
        #expect((load.limit ?? 64) <= lowest)
        record(.answered(in: .milliseconds(100)), times: 2000, running: 64)
        #expect((load.limit ?? 64) > 60)
    }

    @Test mutating func `one answer of a faster kind does not keep the limit low`() {
        record(.answered(in: .milliseconds(2)))
        record(.answered(in: .milliseconds(50)), times: 60)
        record(.missed, times: 60)
        #expect((load.limit ?? 64) < 20)
        record(.answered(in: .milliseconds(50)), times: 2_000, running: 64)
        #expect((load.limit ?? 64) > 60)
    }

    /// Answers a kind of request, each with the number of exchanges when it started.
    private mutating func answer(_ kind: String?, in time: Duration, among count: Int, times: Int = 1, running: Int) {
        let service = HostLoad.Service.answered(in: time, of: .seconds(5), among: count)
        for _ in 0..<times { load.record(service, of: kind, running: running, atMost: 64) }
    }

    @Test mutating func `the limit falls before requests are late if their kind takes longer and longer`() {
        answer("GET /a", in: .seconds(1), among: 10, times: 8, running: 10)
        // The host answers ten per second: with 60 exchanges, the last one takes six seconds.
        answer("GET /a", in: .seconds(3), among: 30, times: 8, running: 60)
        #expect(load.limit == 37.5)
    }

    @Test(arguments: ["GET /slow", nil])
    mutating func `a kind that always takes long does not lower the limit`(kind: String?) {
        answer("GET /fast", in: .milliseconds(10), among: 4, times: 8, running: 4)
        for count in 1...60 { answer(kind, in: .seconds(3), among: count, running: 64) }
        #expect(load.limit == nil)
    }

    @Test mutating func `a kind that is stuck does not lower the limit while others are as fast as ever`() {
        answer("GET /a", in: .milliseconds(100), among: 10, times: 8, running: 10)
        for _ in 0..<100 {
            answer("GET /stuck", in: .seconds(4), among: 60, times: 6, running: 64)
            answer("GET /a", in: .milliseconds(100), among: 60, running: 64)
        }
        #expect(load.limit == nil)
    }

    @Test mutating func `a limit that fell without a late request rises again`() {
        answer("GET /a", in: .seconds(1), among: 10, times: 8, running: 10)
        answer("GET /a", in: .seconds(3), among: 30, times: 8, running: 60)
        answer("GET /a", in: .milliseconds(900), among: 37, times: 3000, running: 64)
        #expect(load.limit == nil)
    }

    @Test mutating func `a limited number of kinds is told apart`() {
        for number in 0..<1000 { answer("GET /\(number)", in: .seconds(1), among: 1, running: 1) }
        #expect((0..<1000).count { load.shortest(of: "GET /\($0)") != nil } <= 32)
        #expect(load.shortest == .seconds(1))
    }

    @Test mutating func `an endless outage does not overflow`() {
        record(.answered(in: .milliseconds(100)))
        record(.missed, times: 300_000, running: 1)
        #expect(load.limit == 1)
    }

    @Test mutating func `a request that spent its time in the queue says nothing about the host`() {
        record(.answered(in: .milliseconds(100)), times: 20)
        record(.delayed, times: 200)
        #expect(load.limit == nil && load.shortest == .milliseconds(100))
    }
}
