extension TokenRefresher {
    /// Uses another credential from here on, and stores it.
    ///
    /// Calls that were rejected with the one before are sent again with this one. To sign another user in, call `signOut()`
    /// first.
    public func signIn(_ token: Token) async throws {
        machine.replace(by: token, life: life(of: token), at: timebase.now, spread: options.random())
        abandonFlights(.success(()))
        try await store(token)
    }

    /// Forgets the credential, here and in the store. A renewal that is going on is dropped, whatever it brings.
    ///
    /// A call that was started before is not sent with the credential of the next user. When it needs a credential again,
    /// it fails with an error of kind `.authentication`.
    ///
    /// Does not call `onSessionExpired`.
    public func signOut() async throws {
        machine.forget()
        abandonFlights(.failure(.signedOut))
        try await store(nil)
    }

    /// Stores what must be stored, after what was to be stored before it, and whoever else is storing.
    private func store(_ token: Token?) async throws {
        let work = Task { @concurrent [self, store = renewal.store, before = storing] in
            _ = await before?.result
            try await RefreshScope.run(for: self) {
                for _ in 0..<10 {
                    let stored = try await store.load()
                    if stored == token { return }
                    if try await store.save(token, replacing: stored) { return }
                }
            }
        }
        storing = work
        try await work.value
    }

    private func abandonFlights(_ result: Result<Void, RefreshFailure>) {
        let abandoned = flights
        flights = [:]
        for flight in abandoned.values { flight.result.settle(result) }
    }
}
