import Foundation

extension TokenRefresher {
    /// Replaces the credential and stores the new one.
    ///
    /// Calls that were rejected with the previous credential are retried with this one. To sign in another user, call
    /// `signOut()` first.
    ///
    /// Rethrows the store's errors. Even then the credential is used, and its refresh is stored as soon as the store
    /// works again.
    public func signIn(_ token: Token) async throws {
        // Another user may have signed in.
        start = SessionStart(token: token)
        if machine.token == nil { firstSignIns += 1 }
        machine.setToken(token, life: life(of: token), at: timebase.now, spread: options.random())
        abandonRefreshes(.success(()))
        try await store(token)
    }

    /// Discards the credential, in memory and in the store. A running refresh is canceled, and its result is ignored.
    ///
    /// After this method returns, calls that started earlier are no longer sent, neither with their user's credential
    /// nor with the next user's: even a call that waits in a queue fails with an error of kind `.authentication`.
    /// Requests that have already left are not stopped. This method waits for requests that are being sent, until the
    /// server responds or for at most a quarter of a second: their transport has written them. Over URLSession, and
    /// over libcurl before 7.80, a request is sent later if its connection takes longer to open. A custom transport
    /// decides when to send a request that it has already received.
    ///
    /// Does not call `onSessionExpired`. Rethrows the store's errors. This process no longer uses the credential, even
    /// if the store has kept it: each later call that needs one tries again to empty the store, until a sign-in or
    /// until it succeeds. This also removes a credential that another process has stored in the meantime.
    public func signOut() async throws {
        let session = machine.session
        machine.signOut()
        for refresh in unfinished { refresh.task.cancel() }
        abandonRefreshes(.failure(.signedOut))
        var failure: (any Error)?
        do { try await store(nil) } catch { failure = error }
        await untilLeft(session)
        if let failure { throw failure }
    }

    /// The next refresh doesn't have to wait for earlier failures, because there is another session.
    func forgetFailures() { machine.forgetFailures() }

    /// Whether there is a credential, in memory or in the store. It may have expired.
    ///
    /// Rethrows the store's errors, and throws a `CancellationError` in a canceled task.
    public var isSignedIn: Bool {
        get async throws {
            // The store itself may read this property.
            if machine.token != nil || RefreshScope.isActive(for: self) { return machine.token != nil }
            let failure = try await (loading ?? startLoading()).wait()
            if machine.token == nil, case .failed(let error)? = failure { throw error }
            return machine.token != nil
        }
    }

    private func abandonRefreshes(_ result: Result<Void, RefreshFailure>) {
        let abandoned = running
        running = [:]
        for refresh in abandoned.values {
            if let index = unfinished.firstIndex(where: { $0.task == refresh.task }) {
                unfinished[index].timer = refresh.timer
            }
            refresh.result.settle(result)
        }
    }

    /// Saves a credential after all earlier saves. Until it is saved, the store's contents are stale.
    private func store(_ token: Token?) async throws {
        stale = .anything
        let task = enqueue { try await $0.overwrite(with: token) }
        try await task.value
    }

    /// Changes the store after all earlier changes.
    ///
    /// - Parameter change: returns whether the store has the new value.
    func enqueue(
        _ change: @escaping @Sendable @concurrent (any CredentialStore<Token>) async throws -> Bool
    ) -> Task<Void, any Error> {
        changeCount += 1
        let task = Task { @concurrent [self, store = operation.store, previous = storing, number = changeCount] in
            _ = await previous?.result
            if try await RefreshScope.run(for: self, { try await change(store) }) { await stored(number) }
        }
        storing = task
        return task
    }

    private func stored(_ number: Int) {
        if number == changeCount { stale = nil }
    }

    /// Reads the store, once for all calls that need it.
    func load(_ context: RequestContext) async throws(AccessFailure) {
        let failure = try await value(of: loading ?? startLoading(), context)
        if let failure { throw .refused(failure) }
    }

    private func startLoading() -> OneShot<RefreshFailure?> {
        let result = OneShot<RefreshFailure?>()
        loading = result
        Task { @concurrent [self, store = operation.store, storing, version = machine.version] in
            // The store contains the signed-out user until the sign-out has been saved.
            _ = await storing?.result
            do {
                let stored = try await RefreshScope.run(for: self) { try await store.load() }
                await finishLoading(.success(stored), result, version)
            } catch {
                await finishLoading(.failure(error), result, version)
            }
        }
        return result
    }

    private func finishLoading(
        _ stored: Result<Token?, any Error>,
        _ result: OneShot<RefreshFailure?>,
        _ version: RefreshStateMachine<Token>.Version
    ) {
        loading = nil
        // A sign-in or sign-out may have happened in the meantime.
        if case .success(let token) = stored, machine.version == version { use(token) }
        if case .failure(let error) = stored { result.settle(.failed(error)) } else { result.settle(nil) }
    }

    /// Uses a credential from the store, or removes it if a sign-out or an ended session could not remove it.
    private func use(_ stored: Token?) {
        if let stored, stale?.include(stored) == true {
            _ = enqueue { try await $0.save(nil, replacing: stored) }
            return
        }
        stale = nil
        guard let stored else { return }
        machine.setToken(stored, life: life(of: stored), at: timebase.now, spread: options.random())
    }

    /// Returns a credential's remaining lifetime. From here on, only the monotonic clock is used.
    func life(of token: Token) -> Duration? {
        guard let seconds = token.expiresAt?.timeIntervalSince(options.now()), !seconds.isNaN else { return nil }
        // A server can send any number. Three hundred years are far below an overflow.
        return .seconds(min(max(seconds, -1e10), 1e10))
    }
}
