import NetworkEngine
import Testing

@Suite(.timeLimit(.minutes(5))) struct ProgressMeterTests {
    private let start = ContinuousClock.now

    @Test func `the first and the last step are told, and sixty in a second between them`() {
        var meter = ProgressMeter(.receiving, attempt: 1)
        let steps = (1...1000).compactMap {
            meter.step(to: Int64($0), of: 1000, now: start + .milliseconds($0))
        }
        #expect(steps.first?.completed == 1)
        #expect(steps.last?.completed == 1000)
        #expect(steps.last?.fraction == 1)
        #expect((60...65).contains(steps.count))
    }

    @Test func `counting never goes back`() {
        var meter = ProgressMeter(.sending, attempt: 1)
        let step = meter.step(to: 10, of: nil, now: start)
        #expect(step != nil)
        let secondStep = meter.step(to: 5, of: nil, now: start + .seconds(1))
        #expect(secondStep == nil)
    }

    @Test func `the first step of a later attempt says that counting began anew`() {
        var meter = ProgressMeter(.sending, attempt: 2)
        let step = meter.step(to: 1, of: 9, now: start)
        #expect(step?.isRestart == true)
        let secondStep = meter.step(to: 9, of: 9, now: start)
        #expect(secondStep?.isRestart == false)
    }
}
