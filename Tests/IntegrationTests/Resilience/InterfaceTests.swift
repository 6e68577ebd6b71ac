#if os(Linux)
@testable import NetworkEngine
import TestSupport
import Testing

@Suite(
    .timeLimit(.minutes(5)),
    .enabled("needs unshare, ip and the right to make a network") { try await NamespaceRun.isPossible() })
struct InterfaceTests {
    @Test func `an interface that comes up and goes down is reported through rtnetlink`()
        async throws
    {
        guard NamespaceRun.isInside else {
            let failure = try await NamespaceRun.failure(of: "InterfaceTests")
            if let failure { Issue.record("\(failure)") }
            return
        }
        var statuses = Reachability.system.makeAsyncIterator()
        #expect(await statuses.next() == .offline)
        try await NamespaceRun.ip("address add 192.0.2.1/24 dev wire0")
        try await NamespaceRun.ip("link set wire0 up")
        try await NamespaceRun.ip("link set wire1 up")
        #expect(await statuses.next() == .online)
        try await NamespaceRun.ip("link set wire0 down")
        #expect(await statuses.next() == .offline)
        try await NamespaceRun.ip("link set wire0 up")
        #expect(await statuses.next() == .online)
        // The peer is unplugged: the interface is up, but carries no traffic.
        try await NamespaceRun.ip("link set wire1 down")
        #expect(await statuses.next() == .offline)
    }
}
#endif
