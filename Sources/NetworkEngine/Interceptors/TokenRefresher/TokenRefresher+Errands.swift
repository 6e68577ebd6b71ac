import Foundation

extension TokenRefresher {
    /// The credential for a request, as soon as there is a valid one.
    func access(
        _ context: RequestContext,
        isUnrepeatable: Bool
    ) async throws(AccessFailure) -> (Token, Int) {
        var hasLoaded = false
        while true {
            switch machine.access(at: timebase.now, isUnrepeatable: isUnrepeatable) {
            case .use(let token, let version): return (token, version)
            case .useAndRenew(let token, let version, let flight):
                _ = start(flight, context)
                return (token, version)
            case .wait(let flight): try await wait(for: flights[flight.id]?.result)
            case .renew(let flight): try await wait(for: start(flight, context))
            case .fail(let failure): throw .refused(failure)
            case .unknown:
                if hasLoaded { throw .refused(.signedOut) }
                try await load()
                hasLoaded = true
            }
        }
    }

    /// Returns when there is another credential than the one of this version.
    func replace(_ version: Int, _ context: RequestContext) async throws(AccessFailure) {
        switch machine.rejected(version, at: timebase.now) {
        case .replay: return
        case .wait(let flight): try await wait(for: flights[flight.id]?.result)
        case .renew(let flight): try await wait(for: start(flight, context))
        case .fail(let failure): throw .refused(failure)
        }
    }

    private func wait(for result: OneShot<Result<Void, RefreshFailure>>?) async throws(AccessFailure) {
        guard let result else { return }
        do {
            try await result.wait().get()
        } catch let failure as RefreshFailure {
            throw .refused(failure)
        } catch {
            throw .cancelled
        }
    }

    /// Starts a renewal in tasks that belong to nobody who waits for it.
    private func start(
        _ flight: RefreshMachine<Token>.Flight,
        _ context: RequestContext
    ) -> OneShot<Result<Void, RefreshFailure>> {
        var running = RunningFlight()
        let context = RefreshContext(maker: context.call.maker)
        let work = Task.detached { [self, renewal] in
            let result = await renewal.renew(flight.token, context)
            await end(flight, result)
        }
        let timer = Task.detached { [self, timebase, timeout = options.timeout] in
            guard (try? await timebase.sleep(for: timeout)) != nil else { return }
            work.cancel()
            await end(flight, .failure(.timedOut))
        }
        running.tasks = [timer]
        flights[flight.id] = running
        return running.result
    }

    private func end(_ flight: RefreshMachine<Token>.Flight, _ result: Result<Token, RefreshFailure>) async {
        let hadToken = machine.token != nil
        let life = (try? result.get()).flatMap(life(of:))
        let outcome = machine.ended(flight, result, life: life, at: timebase.now, spread: options.random())
        let running = flights.removeValue(forKey: flight.id)
        running?.result.settle(outcome)
        for task in running?.tasks ?? [] { task.cancel() }
        if hadToken, machine.token == nil { await onSessionExpired?() }
    }

    /// Reads the store, once for all who need it.
    private func load() async throws(AccessFailure) {
        let result = loading ?? startLoading()
        do {
            if let failure = try await result.wait() { throw AccessFailure.refused(failure) }
        } catch let failure as AccessFailure {
            throw failure
        } catch {
            throw .cancelled
        }
    }

    private func startLoading() -> OneShot<RefreshFailure?> {
        let result = OneShot<RefreshFailure?>()
        loading = result
        Task.detached { [self, store = renewal.store] in
            do {
                await loaded(.success(try await store.load()), result)
            } catch {
                await loaded(.failure(error), result)
            }
        }
        return result
    }

    private func loaded(_ stored: Result<Token?, any Error>, _ result: OneShot<RefreshFailure?>) {
        loading = nil
        // Somebody may have signed in meanwhile.
        if case .success(let token?) = stored, machine.token == nil {
            machine.replace(by: token, life: life(of: token), at: timebase.now, spread: options.random())
        }
        if case .failure(let error) = stored { result.settle(.failed(error)) } else { result.settle(nil) }
    }

    /// How long a credential lasts from now: from here on only the monotonic clock counts.
    func life(of token: Token) -> Duration? {
        token.expiresAt.map { .seconds($0.timeIntervalSince(options.now())) }
    }
}
