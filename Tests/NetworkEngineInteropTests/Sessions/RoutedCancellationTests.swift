import Foundation
import NetworkEngineInterop
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(2))) struct RoutedCancellationTests {
    @Test(arguments: Wire.all)
    func `a canceled task ends once, and its connection is closed`(wire: Wire) async throws {
        let rig = try InteropRig(wire) { _ in .status(200).held(by: LoopbackBarrier()) }
        let call = Guest(rig.routed).start(rig.request("a"))
        _ = try await rig.server.requests(atLeast: 1)
        call.task.cancel()
        #expect(try await call.error?.code == .cancelled)
        _ = try await rig.server.wait { $0.openConnections == 0 }
        #expect(call.endings.withLock { $0 } == 1)
    }

    /// The points at which a storm cancels.
    enum Moment: CaseIterable { case start, request, response }

    @Test(arguments: Wire.all, Moment.allCases)
    func `a storm of cancellations ends every task once`(wire: Wire, moment: Moment) async throws {
        let rig = try InteropRig(wire) { _ in .data(Data(repeating: 1, count: 40_000)) }
        let guest = Guest(rig.routed)
        let count = 200
        let calls = (0..<count).map { number in
            let call = guest.start(rig.request("\(number)"))
            if moment == .start { call.task.cancel() }
            return call
        }
        if moment == .request { _ = try await rig.server.requests(atLeast: count / 4) }
        if moment == .response { _ = try await rig.server.wait { $0.finishedRequestCount >= count / 4 } }
        for call in calls { call.task.cancel() }
        for call in calls { _ = try await call.ending.wait() }
        // A later task ends after everything that was still in progress.
        _ = try await guest.start(rig.request("last")).value
        #expect(calls.allSatisfy { $0.endings.withLock { $0 } == 1 })
    }

    @Test(arguments: Wire.all)
    func `a task that is canceled between pieces ends once`(wire: Wire) async throws {
        let barrier = LoopbackBarrier()
        let rig = try InteropRig(wire) { _ in
            .text("firstsecond").chunked(size: 5).held(by: barrier, at: .responseBody(afterBytes: 10))
        }
        try await rounds(40) { number in
            let guest = DelegatedGuest(rig.routed)
            let task = guest.start(rig.request("\(number)"))
            try await guest.pieces.wait()
            task.cancel()
            let error = try await guest.ending() as? URLError
            #expect(error?.code == .cancelled)
            #expect(guest.log.filter { $0 == "end" }.count == 1 && guest.log.last == "end")
        }
        _ = try await rig.server.wait { $0.openConnections == 0 }
    }

    @Test func `a suspended task goes on when it is resumed`() async throws {
        let barrier = LoopbackBarrier()
        let rig = try InteropRig { _ in .text("done").held(by: barrier) }
        let call = Guest(rig.routed).start(rig.request("a"))
        _ = try await rig.server.requests(atLeast: 1)
        call.task.suspend()
        barrier.open()
        _ = try await rig.server.wait { $0.finishedRequestCount == 1 }
        call.task.resume()
        #expect(try await call.text == "done")
        #expect(rig.server.requests.count == 1 && call.endings.withLock { $0 } == 1)
    }

    @Test func `a suspended task can be canceled`() async throws {
        let rig = try InteropRig { _ in .status(200).held(by: LoopbackBarrier()) }
        let call = Guest(rig.routed).start(rig.request("a"))
        _ = try await rig.server.requests(atLeast: 1)
        call.task.suspend()
        call.task.cancel()
        #expect(try await call.error?.code == .cancelled)
    }

    @Test func `a shutdown ends every task once`() async throws {
        let rig = try InteropRig { _ in .status(200).held(by: LoopbackBarrier()) }
        let guest = Guest(rig.routed)
        let calls = (0..<20).map { guest.start(rig.request("\($0)")) }
        _ = try await rig.server.requests(atLeast: 1)
        rig.shutDown()
        for call in calls { #expect(try await call.error?.networkError != nil) }
        #expect(calls.allSatisfy { $0.endings.withLock { $0 } == 1 })
    }
}
