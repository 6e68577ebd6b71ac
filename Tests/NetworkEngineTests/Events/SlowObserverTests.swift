import Dispatch
import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Observers that are slower than the calls.
@Suite(.timeLimit(.minutes(5))) struct SlowObserverTests {
    /// Handles nothing until it's opened.
    private final class Stuck: NetworkObserver {
        private let gate = DispatchSemaphore(value: 0)
        private let stored = Locked<[NetworkEvent]>([])
        let ended = OneShot<Void>()

        var events: [NetworkEvent] { stored.withLock { $0 } }

        func handle(_ event: NetworkEvent) {
            gate.wait()
            gate.signal()
            stored.withLock { $0.append(event) }
            if case .dropped = event.kind { ended.settle(()) }
        }

        func open() { gate.signal() }
    }

    @Test func `a stuck observer delays no call, and later learns how many calls it has missed`() async throws {
        let stuck = Stuck()
        let provider = NetworkProvider<TestTarget>(MockTransport(.json("7").repeating())) { $0.observers = [stuck] }
        let count = 4_000
        for _ in 0..<count { _ = try await provider.data(TestTarget()) }
        #expect(stuck.events.isEmpty)
        stuck.open()
        try await stuck.ended.wait()
        var balance = EventBalance()
        for event in stuck.events { balance.add(event) }
        #expect(balance.faults == [] && balance.openCalls.isEmpty)
        #expect(balance.droppedCalls > 0 && balance.endedCalls + balance.droppedCalls == count)
        #expect(stuck.events.count < 40_000)
    }

    @Test func `a flush ends while events go on arriving`() throws {
        let (queue, isOver) = (Locked<ObserverQueue?>(nil), Locked(false))
        let event = NetworkEvent(callID: RequestID(), kind: .attemptStarted(HTTPRequest(url: try "https://a.test".url)))
        let endless = ObserverQueue { _ in
            if !isOver.withLock({ $0 }) { queue.withLock { $0 }?.post(event, isVital: true) }
        }
        queue.withLock { $0 = endless }
        endless.post(event, isVital: true)
        endless.flush()
        isOver.withLock { $0 = true }
        queue.withLock { $0 = nil }
    }

    @Test func `the bodies that wait for an observer have a limit, and what is left out is counted`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let (sizes, dropped) = (Locked<[Int]>([]), Locked(0))
        let queue = ObserverQueue(byteLimit: 10_000) { event in
            gate.wait()
            gate.signal()
            switch event.kind {
            case .exchangeEnded(let end): sizes.withLock { $0.append((try? end.result.get().data.count) ?? -1) }
            case .bodiesDropped(let count): dropped.withLock { $0 += count }
            default: break
            }
        }
        let request = HTTPRequest(url: try "https://a.test".url)
        for _ in 0..<100 {
            let response = HTTPResponse(statusCode: 200, body: .data(Data(count: 1_000)), request: request)
            let end = NetworkEvent.ExchangeEnd(result: .success(response))
            queue.post(NetworkEvent(callID: RequestID(), kind: .exchangeEnded(end)), isVital: true)
        }
        gate.signal()
        queue.flush()
        #expect(sizes.withLock { $0 } == Array(repeating: 1_000, count: 10) + Array(repeating: 0, count: 90))
        #expect(dropped.withLock { $0 } == 90)
        // The space of handled events is free again.
        let late = HTTPResponse(statusCode: 200, body: .data(Data(count: 9_000)), request: request)
        queue.post(
            NetworkEvent(callID: RequestID(), kind: .exchangeEnded(.init(result: .success(late)))), isVital: true)
        queue.flush()
        #expect(sizes.withLock { $0.last } == 9_000)
    }

    @Test func `an error that comes without bodies keeps its cause and its decoding`() throws {
        let errors = Locked<[NetworkError]>([])
        let queue = ObserverQueue(byteLimit: 10) { event in
            guard case .attemptEnded(let end) = event.kind, case .failure(let error) = end.result else { return }
            errors.withLock { $0.append(error) }
        }
        let request = HTTPRequest(method: .post, url: try "https://a.test".url, body: .data(Data(count: 1_000)))
        let decoding = StandardDecoding(decoder: JSONDecoder(), keys: .convertFromSnakeCase)
        let error = NetworkError.deadlinePassed(request, isQueued: true).completed(decoding: decoding)
        let end = NetworkEvent.AttemptEnd(result: .failure(error))
        queue.post(NetworkEvent(callID: RequestID(), kind: .attemptEnded(end)), isVital: true)
        queue.flush()
        let received = try #require(errors.withLock { $0.first })
        #expect(received.request?.body.data == Data())
        #expect(received.isTimeoutInQueue && received.decoding != nil)
    }

    @Test func `the bodies of a cause are left out, too`() throws {
        let causes = Locked<[NetworkError?]>([])
        let queue = ObserverQueue(byteLimit: 10) { event in
            guard case .attemptEnded(let end) = event.kind, case .failure(let error) = end.result else { return }
            causes.withLock { $0.append(error.underlying as? NetworkError) }
        }
        let request = HTTPRequest(url: try "https://a.test".url)
        let response = HTTPResponse(statusCode: 503, body: .data(Data(count: 1_000)), request: request)
        let cause = NetworkError(kind: .status, reason: "the cause", response: response)
        let end = NetworkEvent.AttemptEnd(result: .failure(NetworkError(kind: .authentication, underlying: cause)))
        queue.post(NetworkEvent(callID: RequestID(), kind: .attemptEnded(end)), isVital: true)
        queue.flush()
        let received = try #require(causes.withLock { $0.first } ?? nil)
        #expect(received.reason == "the cause" && received.response?.data == Data())
    }

    @Test func `events are delivered together, and at once when the last open call has ended`() async throws {
        let (allEnded, handled, end) = (Locked(false), Locked<[Bool]>([]), OneShot<Void>())
        let queue = ObserverQueue(gathering: .seconds(3_600)) { event in
            let isAfterTheLastEnd = allEnded.withLock { $0 }
            let count = handled.withLock { handled in
                handled.append(isAfterTheLastEnd)
                return handled.count
            }
            if count == 4 { end.settle(()) }
        }
        let request = HTTPRequest(url: try "https://a.test".url)
        let response = HTTPResponse(statusCode: 204, request: request)
        let started = NetworkEvent.Kind.callStarted(.init(request: request))
        let ended = NetworkEvent.Kind.callEnded(.init(result: .success(response), attempts: 1, duration: .zero))
        let (first, second) = (RequestID(), RequestID())
        queue.post(NetworkEvent(callID: first, kind: started), isVital: true)
        queue.post(NetworkEvent(callID: second, kind: started), isVital: true)
        queue.post(NetworkEvent(callID: first, kind: ended), isVital: true)
        allEnded.withLock { $0 = true }
        queue.post(NetworkEvent(callID: second, kind: ended), isVital: true)
        try await end.wait()
        #expect(handled.withLock { $0 } == [true, true, true, true])
    }

    @Test func `each observer has a queue of its own`() async throws {
        let (stuck, log) = (Stuck(), EventLog())
        let provider = NetworkProvider<TestTarget>(MockTransport(.json("7").repeating())) {
            $0.observers = [stuck, log]
        }
        _ = try await provider.data(TestTarget())
        #expect(log.outcomes == [nil] && stuck.events.isEmpty)
        stuck.open()
    }
}
