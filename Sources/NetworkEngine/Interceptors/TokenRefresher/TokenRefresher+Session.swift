import Foundation

extension TokenRefresher {
    /// Uses another credential from now on, and stores it.
    ///
    /// Calls that were rejected with the previous credential are sent again with this one. To sign in another user,
    /// call `signOut()` first.
    ///
    /// Throws what the store throws. The credential is used nevertheless.
    public func signIn(_ token: Token) async throws {
        machine.setToken(token, life: life(of: token), at: timebase.now, spread: options.random())
        abandonRefreshes(.success(()))
        try await store(token)
    }

    /// Discards the credential, in memory and in the store. The result of a running refresh is ignored.
    ///
    /// A call that began before is not sent with the credential of the next user. If it needs a credential again, it
    /// fails with an error of kind `.authentication`.
    ///
    /// Does not call `onSessionExpired`. Throws what the store throws: the credential is still stored then, and later
    /// calls use it.
    public func signOut() async throws {
        machine.signOut()
        abandonRefreshes(.failure(.signedOut))
        try await store(nil)
    }

    private func abandonRefreshes(_ result: Result<Void, RefreshFailure>) {
        let abandoned = running
        running = [:]
        for refresh in abandoned.values { refresh.result.settle(result) }
    }

    /// Saves a credential after all earlier saves, and retries if other code changes the store at the same time.
    private func store(_ token: Token?) async throws {
        let task = Task { @concurrent [self, store = operation.store, previous = storing] in
            _ = await previous?.result
            try await RefreshScope.run(for: self) {
                for _ in 0..<10 {
                    let stored = try await store.load()
                    if stored == token { return }
                    if try await store.save(token, replacing: stored) { return }
                }
            }
        }
        storing = task
        try await task.value
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
        // A sign-in or sign-out can have happened in the meantime.
        if case .success(let token?) = stored, machine.version == version {
            machine.setToken(token, life: life(of: token), at: timebase.now, spread: options.random())
        }
        if case .failure(let error) = stored { result.settle(.failed(error)) } else { result.settle(nil) }
    }

    /// Returns the remaining life of a credential. After this, only the monotonic clock is used.
    func life(of token: Token) -> Duration? {
        guard let seconds = token.expiresAt?.timeIntervalSince(options.now()), !seconds.isNaN else { return nil }
        // A server can send any number. Three hundred years are far from an overflow.
        return .seconds(min(max(seconds, -1e10), 1e10))
    }
}
