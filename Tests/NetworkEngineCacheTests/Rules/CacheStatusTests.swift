import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCache

@Suite(.timeLimit(.minutes(5))) struct CacheStatusTests {
    @Test func `the status of the cache is a structured field`() {
        let freshness = Freshness(of: .sample(["Cache-Control": "max-age=60"]), at: .sample(10))
        #expect("\(CacheStatus(hit: freshness))" == "NetworkEngine; hit; ttl=50")
        let stale = Freshness(of: .sample(["Cache-Control": "max-age=60"]), at: .sample(70.5))
        #expect("\(CacheStatus(hit: stale))" == "NetworkEngine; hit; ttl=-11")
        #expect("\(CacheStatus(forward: .miss(.address)))" == "NetworkEngine; fwd=uri-miss")
        var status = CacheStatus(forward: .stale)
        (status.forwardStatus, status.isStored, status.isCollapsed) = (304, true, true)
        status.detail = "a\"\\é\n"
        #expect("\(status)" == #"NetworkEngine; fwd=stale; fwd-status=304; stored; collapsed; detail="a\"\\??""#)
    }
}
