import Dispatch
import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// The guarantees for callbacks.
@Suite(.timeLimit(.minutes(5))) struct CallbackContractTests {
    private static let mark = DispatchSpecificKey<Bool>()
    private static let queue = {
        let queue = DispatchQueue(label: "CallbackContractTests")
        queue.setSpecific(key: mark, value: true)
        return queue
    }()

    enum End: CaseIterable { case value, status, refusedBeforeIO, badJSON, cancelled }

    private func call(_ end: End) throws -> (rig: Rig, target: ParityTarget) {
        let answer: Scenario.Answer =
            switch end {
            case .value: .http(200, Scenario.ada)
            case .status: .http(500, "")
            case .badJSON: .http(200, "{]")
            case .refusedBeforeIO, .cancelled: .silence
            }
        let rig = try Rig(answer, over: .mock)
        var target = rig.target
        if end == .refusedBeforeIO { target.headers["X-Bad"] = "a\r\nb" }
        return (rig, target)
    }

    @Test(arguments: End.allCases)
    func `a call delivers one outcome on its queue, after the call has returned`(
        end: End
    ) async throws {
        let (rig, target) = try call(end)
        let seen = Delivery<String>()
        Self.queue.async {
            let hasReturned = Locked(false)
            let request = rig.provider.request(target, as: User.self, queue: Self.queue) { _ in
                let place = DispatchQueue.getSpecific(key: Self.mark) == true ? "there" : "elsewhere"
                seen.add("\(place), \(hasReturned.withLock { $0 } ? "after" : "before")")
            }
            if end == .cancelled { request.cancel() }
            hasReturned.withLock { $0 = true }
        }
        #expect(await seen.first() == "there, after")
        await withCheckedContinuation { flushed in Self.queue.async { flushed.resume() } }
        #expect(seen.all.count == 1)
    }

    @MainActor
    @Test(arguments: End.allCases)
    func `a call delivers one outcome on the main actor, after the call has returned`(
        end: End
    ) async throws {
        let (rig, target) = try call(end)
        let seen = Delivery<String>()
        let hasReturned = Locked(false)
        let request = rig.provider.request(target, as: User.self) { _ in
            MainActor.preconditionIsolated()
            seen.add(hasReturned.withLock { $0 } ? "after" : "before")
        }
        if end == .cancelled { request.cancel() }
        hasReturned.withLock { $0 = true }
        #expect(await seen.first() == "after")
        await Task { @MainActor in }.value
        #expect(seen.all.count == 1)
    }

    @Test(arguments: [End.value, .status, .badJSON])
    func `after cancel() on the queue only the cancellation is delivered there`(
        end: End
    ) async throws {
        let (rig, target) = try call(end)
        let call: OngoingCall<User> = await withCheckedContinuation { continuation in
            Self.queue.async {
                let call = OngoingCall<User>.calling { completion in
                    let request = rig.provider.request(
                        target,
                        as: User.self,
                        queue: Self.queue,
                        completion: completion
                    )
                    request.waitUntilDecided()
                    request.cancel()
                    #expect(request.isCancelled)
                    return request
                }
                continuation.resume(returning: call)
            }
        }
        #expect(await call.error?.kind == .cancelled)
    }

    @Test func `cancel() is idempotent, from any thread, before and after the end`() async throws {
        let silent = try Rig(.silence, over: .mock)
        for style in [CallStyle.handle, .waiter, .queue, .mainActor] {
            let call = style.start(silent.target, on: silent.provider, as: User.self)
            DispatchQueue.concurrentPerform(iterations: 8) { _ in call.cancel() }
            #expect(await call.error?.kind == .cancelled)
            call.cancel()
        }
        let rig = try Rig(.http(200, Scenario.ada), over: .mock)
        let done = rig.provider.start(rig.target, as: User.self)
        let user = try await done.value
        done.cancel()
        #expect(try await done.value == user)
        #expect(!done.isCancelled)
    }

    @Test(arguments: End.allCases)
    func `a callback can cancel, start and wait for requests`(end: End) async throws {
        let (rig, target) = try call(end)
        let other = try Rig(.http(200, Scenario.ada), over: .mock)
        let own = Locked<(any NetworkRequest)?>(nil)
        let call: OngoingCall<User> = .calling { completion in
            let request = rig.provider.request(target, as: User.self, queue: Self.queue) { _ in
                own.withLock { $0 }?.cancel()
                other.provider.request(other.target, as: User.self, queue: Self.queue, completion: completion)
            }
            own.withLock { $0 = request }
            if end == .cancelled { request.cancel() }
            return request
        }
        #expect(try await call.outcome?.get() == User(id: 7, name: "Ada"))
    }
}

extension NetworkRequest {
    /// Blocks a thread that the outcome doesn't need until the outcome exists and is waiting for delivery.
    func waitUntilDecided() {
        guard let handle = self as? RequestHandle<User> else { preconditionFailure("Requests are handles") }
        let decided = DispatchSemaphore(value: 0)
        Task.detached {
            _ = await handle.result
            decided.signal()
        }
        decided.wait()
    }
}
