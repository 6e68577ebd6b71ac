import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct TaskLifecycleTests {
    private var running: TaskLifecycle {
        var lifecycle = TaskLifecycle()
        _ = lifecycle.resumed()
        return lifecycle
    }

    @Test func `a task is not canceled before resume has returned`() {
        var lifecycle = TaskLifecycle()
        expect(lifecycle.stop(), false)
        #expect(!lifecycle.mayCancel)
        expect(lifecycle.resumed(), true)
        #expect(lifecycle.mayCancel)
    }

    @Test func `a task is canceled at most once, and not after its end`() {
        var lifecycle = running
        expect(lifecycle.stop(), true)
        expect(lifecycle.stop(), false)
        lifecycle.ended()
        #expect(!lifecycle.mayCancel)
    }

    @Test func `a task that ends before resume returns is not canceled`() {
        var lifecycle = TaskLifecycle()
        _ = lifecycle.stop()
        lifecycle.ended()
        expect(lifecycle.resumed(), false)
        #expect(!lifecycle.mayCancel)
    }

    @Test func `a redirect is not answered once canceling has begun`() {
        var lifecycle = running
        #expect(lifecycle.mayAnswerRedirect)
        _ = lifecycle.stop()
        #expect(!lifecycle.mayAnswerRedirect)
    }

    @Test func `a body that the platform requests again is sent in a new task, a limited number of times`() {
        var lifecycle = running
        _ = lifecycle.stop()
        expect(lifecycle.startAgain(), true)
        #expect(!lifecycle.mayCancel)
        expect(lifecycle.resumed(), false)
        for _ in 0..<4 {
            let mayStart = lifecycle.startAgain()
            #expect(mayStart)
        }
        expect(lifecycle.startAgain(), false)
    }

    @Test func `any order of events cancels a task at most once`() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<20_000 {
            var lifecycle = TaskLifecycle()
            var cancellations = 0
            var isResumed = false
            for _ in 0..<Int.random(in: 0..<8, using: &random) {
                switch Int.random(in: 0..<4, using: &random) {
                case 0 where !isResumed:
                    isResumed = true
                    if lifecycle.resumed() { cancellations += 1 }
                case 1: if lifecycle.stop() { cancellations += 1 }
                case 2: lifecycle.challenged()
                default: break
                }
            }
            lifecycle.ended()
            if lifecycle.stop() { cancellations += 1 }
            #expect(cancellations <= 1)
        }
    }

    /// Compares an event's result, which a macro can't evaluate.
    private func expect<Value: Equatable>(
        _ value: Value,
        _ expected: Value,
        at location: SourceLocation = #_sourceLocation
    ) {
        #expect(value == expected, sourceLocation: location)
    }
}
