import Foundation

extension TokenRefresher {
    /// The credential for a request, as soon as there is a valid one.
    func access(
        _ context: RequestContext,
        in session: Int,
        isUnrepeatable: Bool
    ) async throws(AccessFailure) -> (Token, Int) {
        var hasLoaded = false
        while true {
            guard machine.session == session else { throw .sessionOver }
            let now = timebase.now
            switch machine.access(at: now, isUnrepeatable: isUnrepeatable) {
            case .use(let token, let version): return (token, version)
            case .useAndRenew(let token, let version, let flight):
                start(flight, context)
                return (token, version)
            case .wait(let flight):
                if let old = try await wait(for: flight, context, isUnrepeatable) { return old }
            case .renew(let flight):
                start(flight, context)
                if let old = try await wait(for: flight, context, isUnrepeatable) { return old }
            case .fail(let failure): throw .refused(failure)
            case .unknown:
                if hasLoaded { throw .refused(.signedOut) }
                try await load(context)
                hasLoaded = true
            }
        }
    }

    /// Waits for a renewal to succeed.
    ///
    /// - Returns: what to use all the same when it fails, for a request that only wanted to be on the safe side.
    private func wait(
        for flight: RefreshStateMachine<Token>.Flight,
        _ context: RequestContext,
        _ isUnrepeatable: Bool
    ) async throws(AccessFailure) -> (Token, Int)? {
        do throws(AccessFailure) {
            try await wait(for: flight, context)
            return nil
        } catch {
            let now = timebase.now
            guard isUnrepeatable, case .refused = error, let old = machine.stillGood(at: now) else {
                throw error
            }
            return old
        }
    }

    /// Returns when there is another credential than the one of this version, in the same session.
    func replace(_ version: Int, in session: Int, _ context: RequestContext) async throws(AccessFailure) {
        while true {
            guard machine.session == session else { throw .sessionOver }
            let now = timebase.now
            switch machine.rejected(version, at: now) {
            case .replay: return
            case .wait(let flight): try await wait(for: flight, context)
            case .renew(let flight):
                start(flight, context)
                try await wait(for: flight, context)
            case .fail(let failure): throw .refused(failure)
            }
        }
    }

    private func wait(
        for flight: RefreshStateMachine<Token>.Flight,
        _ context: RequestContext
    ) async throws(AccessFailure) {
        guard let result = result(of: flight) else { return }
        do {
            guard let outcome = try await context.value(of: result) else { throw AccessFailure.late }
            try outcome.get()
        } catch let failure as RefreshFailure {
            throw .refused(failure)
        } catch let failure as AccessFailure {
            throw failure
        } catch {
            throw .cancelled
        }
    }

    /// Reads the store, once for all who need it.
    private func load(_ context: RequestContext) async throws(AccessFailure) {
        let result = loading ?? startLoading()
        do {
            guard let failure = try await context.value(of: result) else { throw AccessFailure.late }
            if let failure { throw AccessFailure.refused(failure) }
        } catch let failure as AccessFailure {
            throw failure
        } catch {
            throw .cancelled
        }
    }

    private func startLoading() -> OneShot<RefreshFailure?> {
        let result = OneShot<RefreshFailure?>()
        loading = result
        Task { @concurrent [self, store = renewal.store, storing, version = machine.version] in
            // Who has just signed out is in the store until that has ended.
            _ = await storing?.result
            do {
                let stored = try await RefreshScope.run(for: self) { try await store.load() }
                await loaded(.success(stored), result, version)
            } catch {
                await loaded(.failure(error), result, version)
            }
        }
        return result
    }

    private func loaded(
        _ stored: Result<Token?, any Error>,
        _ result: OneShot<RefreshFailure?>,
        _ version: RefreshStateMachine<Token>.Version
    ) {
        loading = nil
        // Somebody may have signed in or out meanwhile.
        if case .success(let token?) = stored, machine.version == version {
            machine.replace(by: token, life: life(of: token), at: timebase.now, spread: options.random())
        }
        if case .failure(let error) = stored { result.settle(.failed(error)) } else { result.settle(nil) }
    }

    /// How long a credential lasts from now: from here on only the monotonic clock counts.
    func life(of token: Token) -> Duration? {
        guard let seconds = token.expiresAt?.timeIntervalSince(options.now()), !seconds.isNaN else { return nil }
        // A server may write any number; with three hundred years one can calculate.
        return .seconds(min(max(seconds, -1e10), 1e10))
    }
}
