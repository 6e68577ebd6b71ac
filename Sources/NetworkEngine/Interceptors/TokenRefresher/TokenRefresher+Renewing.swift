extension TokenRefresher {
    /// A renewal that has begun and has not ended.
    struct RunningFlight {
        let work: Task<Void, Never>
        /// The result for the calls that wait now: at the end, or when the time of the renewal is up.
        var result = OneShot<Result<Void, RefreshFailure>>()
        /// There while the time runs.
        var timer: Task<Void, Never>?
    }

    /// The work of a renewal, for which another one of the same credential has to wait.
    struct Working {
        let flight: RefreshStateMachine<Token>.Flight
        let task: Task<Void, Never>
    }

    /// Starts a renewal in tasks that no call owns.
    ///
    /// They have the task-locals of the call that needs it first: an app can select its server by one.
    func start(_ flight: RefreshStateMachine<Token>.Flight, _ context: RequestContext) {
        let context = RefreshContext(maker: context.call.maker)
        // One of a session that is over may not have ended yet.
        let before = working.last { $0.flight.token == flight.token }?.task
        let work = Task { @concurrent [self, renewal, storing] in
            await before?.value
            // Who has just signed in is not in the store before that has ended.
            _ = await storing?.result
            let result = await RefreshScope.run(for: self) { await renewal.renew(flight.token, context) }
            await end(flight, result)
        }
        working.append(Working(flight: flight, task: work))
        flights[flight.id] = RunningFlight(work: work)
        startTimer(of: flight)
    }

    /// The result of a renewal. The timeout starts again for calls that wait for an overdue one.
    func result(of flight: RefreshStateMachine<Token>.Flight) -> OneShot<Result<Void, RefreshFailure>>? {
        guard let running = flights[flight.id] else { return nil }
        if running.timer == nil { startTimer(of: flight) }
        return running.result
    }

    private func startTimer(of flight: RefreshStateMachine<Token>.Flight) {
        guard let work = flights[flight.id]?.work else { return }
        flights[flight.id]?.timer = Task { @concurrent [self, timebase, timeout = options.timeout] in
            guard (try? await timebase.sleep(for: timeout)) != nil else { return }
            work.cancel()
            await timeIsUp(for: flight)
        }
    }

    /// Ends the waiting for a renewal. The renewal itself continues until its closure returns.
    private func timeIsUp(for flight: RefreshStateMachine<Token>.Flight) {
        guard let waiters = flights[flight.id]?.result else { return }
        machine.timedOut(flight)
        flights[flight.id]?.result = OneShot()
        flights[flight.id]?.timer = nil
        waiters.settle(.failure(.timedOut))
    }

    private func end(_ flight: RefreshStateMachine<Token>.Flight, _ result: Result<Token, RefreshFailure>) async {
        working.removeAll { $0.flight == flight }
        let life = (try? result.get()).flatMap(life(of:))
        let (now, spread) = (timebase.now, options.random())
        let hadToken = machine.token != nil
        let outcome = machine.ended(flight, result, life: life, at: now, spread: spread)
        let running = flights.removeValue(forKey: flight.id)
        running?.result.settle(outcome)
        running?.timer?.cancel()
        guard hadToken, machine.token == nil else { return }
        // Its calls are no part of the attempt that started the renewal.
        await RetryLayer.$isInside.withValue(false) { await onSessionExpired?() }
    }
}
