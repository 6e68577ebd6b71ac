import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5))) struct ParityTests {
    @Test(arguments: Scenario.all, Rig.Wire.allCases)
    func `a call has the same outcome in every style and over every transport`(
        scenario: Scenario,
        wire: Rig.Wire
    ) async throws {
        for style in CallStyle.allCases {
            let rig = try Rig(scenario.answer, scenario.method, over: wire)
            let call = style.start(rig.target, on: rig.provider, as: User.self)
            if scenario.isCancelled {
                await rig.arrivals.wait { $0 > 0 }
                call.cancel()
            }
            let outcome = try #require(await call.outcome)
            #expect(Ending(outcome) == scenario.ending, "\(style)")
        }
    }
}
