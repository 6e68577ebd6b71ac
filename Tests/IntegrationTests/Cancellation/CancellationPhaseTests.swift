import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Cancellation in every phase of a call: no phase delays the call's end.
@Suite(.timeLimit(.minutes(5))) struct CancellationPhaseTests {
    static let styles: [CallStyle] = [.awaited, .awaitedUnsendable, .handle, .waiter, .queue, .mainActor]

    @Test(arguments: Halt.Phase.allCases, styles)
    func `a canceled call ends in every phase and makes no further attempt`(
        phase: Halt.Phase,
        style: CallStyle
    ) async throws {
        let halt = try await Halt(in: phase)
        let call = style.start(halt.target, on: halt.provider, as: User.self)
        try await halt.reached()
        call.cancel()
        #expect(await call.error?.kind == .cancelled)
        await halt.release()
        #expect(halt.probe.attempts.count == 1)
        #expect(halt.probe.advised.count == (phase == .backoff ? 1 : 0))
    }

    @Test(arguments: [Probe.Place.adapt, .intercept], [CallStyle.handle, .waiter, .queue, .mainActor])
    func `an interceptor that ignores cancellation delays no handle, and nothing is sent after it`(
        place: Probe.Place,
        style: CallStyle
    ) async throws {
        let probe = Probe(stoppingIn: place, isDeaf: true)
        let wire = DeafTransport()
        let provider = wire.provider(probe)
        let call = style.start(wire.target, on: provider, as: User.self)
        await probe.gate.reached()
        call.cancel()
        #expect(await call.error?.kind == .cancelled)
        probe.gate.open()
        await probe.running.wait { $0 == 0 }
        #expect(wire.gate.arrivals.count == 0)
    }

    @Test(arguments: [CallStyle.handle, .waiter, .queue, .mainActor, .awaited])
    func `a transport that ignores cancellation delays no call`(style: CallStyle) async throws {
        let wire = DeafTransport()
        let call = style.start(wire.target, on: wire.provider(Probe()), as: User.self)
        await wire.gate.reached()
        call.cancel()
        #expect(await call.error?.kind == .cancelled)
        wire.gate.open()
    }

    @Test func `an awaited call is canceled even if its interceptor ignores cancellation and answers`()
        async throws
    {
        let probe = Probe(stoppingIn: .intercept, isDeaf: true)
        let wire = DeafTransport()
        wire.gate.open()
        let call = CallStyle.awaited.start(wire.target, on: wire.provider(probe), as: User.self)
        await probe.gate.reached()
        call.cancel()
        probe.gate.open()
        #expect(await call.error?.kind == .cancelled)
        #expect(wire.gate.arrivals.count == 0)
    }
}
